import { Button, Text } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { pluralize } from '#model/pluralize.ts'
import { useProjectId } from '../../api/project.ts'
import list from '../../ui/list/list.module.css'
import { moveWithUndo } from '../../ui/list/undo.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { type Cohort, useUpdateCohort } from '../cohorts/api.ts'
import { KindBadge } from '../cohorts/kind-badge.tsx'
import classes from './cohorts.module.css'

export const CohortRow = memo(function CohortRow({ cohort }: { readonly cohort: Cohort }) {
  const projectId = `${useProjectId()}`
  const { id, name, description, deleted } = cohort
  return (
    <li className={list.row}>
      <IconUsersGroup className={classes.icon} size={18} stroke={1.6} aria-hidden />
      <div className={list.main}>
        <Link
          className={list.name}
          to="/project/$projectId/cohorts/$cohortId"
          params={{ projectId, cohortId: `${id}` }}
          preload={false}
        >
          {name}
        </Link>
        {description && (
          <Text size="xs" c="dimmed" className={list.about}>
            {description}
          </Text>
        )}
      </div>
      <span className={`${classes.cell} tabular`}>{toCount(cohort)}</span>
      <span className={classes.cell}>{cohort.created_by && userName(cohort.created_by)}</span>
      <TimeAgo time={cohort.created_at} className={`${list.ago} ${classes.cell}`} />
      {deleted ? (
        <RestoreButton cohort={cohort} />
      ) : (
        <KindBadge cohort={cohort} className={classes.badge} />
      )}
    </li>
  )
})

/** Empty for a cohort in the trash, which has no count. */
export const toCount = ({ count }: Cohort): string =>
  count === null ? '' : pluralize(count, 'person')

function RestoreButton({ cohort: { id, name } }: { readonly cohort: Cohort }) {
  const { mutateAsync } = useUpdateCohort(id)
  return (
    <Button
      size="compact-xs"
      variant="default"
      className={classes.badge}
      aria-label={`Restore ${name}`}
      onClick={() => void moveWithUndo(`“${name}”`, false, (deleted) => mutateAsync({ deleted }))}
    >
      Restore
    </Button>
  )
}

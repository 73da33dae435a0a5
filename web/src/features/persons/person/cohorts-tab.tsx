import { Box, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../../api/project.ts'
import list from '../../../ui/list/list.module.css'
import { Card } from '../../../ui/page/card.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import { KindBadge } from '../../cohorts/kind-badge.tsx'
import { type Person, usePersonCohorts } from '../api.ts'
import classes from '../persons.module.css'

/** The cohorts that a person is in. */
export function CohortsTab({ person }: { readonly person: Person }) {
  const projectId = `${useProjectId()}`
  return (
    <Box maw={860}>
      <QueryContent query={usePersonCohorts(person)}>
        {(cohorts) => {
          if (cohorts.length === 0) {
            return (
              <Card>
                <Text c="dimmed">This person is in no cohort.</Text>
              </Card>
            )
          }
          return (
            <Card p={0}>
              <ul className={classes.rows} aria-label="Cohorts">
                {cohorts.map((cohort) => (
                  <li key={cohort.id}>
                    <Link
                      className={list.name}
                      to="/project/$projectId/cohorts/$cohortId"
                      params={{ projectId, cohortId: `${cohort.id}` }}
                    >
                      {cohort.name}
                    </Link>
                    <KindBadge cohort={cohort} />
                  </li>
                ))}
              </ul>
            </Card>
          )
        }}
      </QueryContent>
    </Box>
  )
}

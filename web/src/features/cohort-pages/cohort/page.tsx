import { ActionIcon, Alert, Box, Button, Group, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconEdit, IconTrash, IconUserPlus, IconUsersGroup, IconX } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useProjectId } from '../../../api/project.ts'
import { SearchBox } from '../../../ui/list/search-box.tsx'
import { moveWithUndo, showUndo } from '../../../ui/list/undo.tsx'
import { CopyCurl } from '../../../ui/page/copy-curl.tsx'
import { Page, WIDE } from '../../../ui/page/page.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { useActionChoices } from '../../actions/api.ts'
import {
  type Cohort,
  toCohortsPath,
  useChangeMember,
  useCohort,
  useCohortPersons,
  useCohortsById,
  useUpdateCohort,
} from '../../cohorts/api.ts'
import { KindBadge } from '../../cohorts/kind-badge.tsx'
import { toLine } from '../../events/values.ts'
import type { Person } from '../../persons/api.ts'
import { useColumns } from '../../persons/columns.ts'
import { PersonResults } from '../../persons/person-list.tsx'
import { toCount } from '../cohort-row.tsx'
import classes from '../cohorts.module.css'
import { describeCohort, listNamedCohorts, namesAction } from '../sentence.ts'
import { EditDialog } from './edit-dialog.tsx'

const route = getRouteApi('/project/$projectId/cohorts/$cohortId')

export function CohortPage() {
  const cohort = useCohort(Number(route.useParams().cohortId))
  if (cohort.data) return <CohortContent key={cohort.data.id} cohort={cohort.data} />
  return (
    <Page title="Cohort">
      <QueryContent query={cohort}>{() => null}</QueryContent>
    </Page>
  )
}

function CohortContent({ cohort }: { readonly cohort: Cohort }) {
  useDocumentTitle(`${cohort.name} · Hedgerow`)
  return (
    <Box maw={WIDE} mx="auto">
      <CohortHeader cohort={cohort} />
      {cohort.deleted ? (
        <Alert color="gray" icon={<IconTrash size={18} />} title="In the trash">
          Restore the cohort to see its members or to filter by it.
        </Alert>
      ) : (
        <Members cohort={cohort} />
      )}
    </Box>
  )
}

function CohortHeader({ cohort }: { readonly cohort: Cohort }) {
  const projectId = useProjectId()
  const [isEditing, setEditing] = useState(false)
  const { mutateAsync } = useUpdateCohort(cohort.id)
  const trash = () =>
    void moveWithUndo(`“${cohort.name}”`, !cohort.deleted, (deleted) => mutateAsync({ deleted }))
  return (
    <Box mb="md">
      <Text size="sm" mb="xs">
        <Link
          className={classes.back}
          to="/project/$projectId/cohorts"
          params={{ projectId: `${projectId}` }}
        >
          Cohorts
        </Link>
      </Text>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box miw={260} flex={1}>
          <Title order={1} className={classes.name}>
            {cohort.name}
          </Title>
          <Group gap="xs" mt={4}>
            <KindBadge cohort={cohort} />
            <Text size="sm" c="dimmed" className="tabular">
              {toCount(cohort)}
            </Text>
          </Group>
          <Sentence cohort={cohort} />
          {cohort.description && (
            <Text size="sm" c="dimmed" mt={4}>
              {cohort.description}
            </Text>
          )}
        </Box>
        <Group gap="xs">
          <CopyCurl path={`${toCohortsPath(projectId)}/${cohort.id}/persons`} />
          {!cohort.deleted && (
            <Button
              size="xs"
              variant="default"
              leftSection={cohort.is_static ? <IconUserPlus size={14} /> : <IconEdit size={14} />}
              onClick={() => setEditing(true)}
            >
              {cohort.is_static ? 'Add persons' : 'Edit cohort'}
            </Button>
          )}
          <Button
            size="xs"
            variant="subtle"
            color={cohort.deleted ? undefined : 'red'}
            leftSection={cohort.deleted ? undefined : <IconTrash size={14} />}
            onClick={trash}
          >
            {cohort.deleted ? 'Restore' : 'Move to trash'}
          </Button>
        </Group>
      </Group>
      {isEditing && <EditDialog cohort={cohort} onClose={() => setEditing(false)} />}
    </Box>
  )
}

/** Says who is in a dynamic cohort. */
function Sentence({ cohort }: { readonly cohort: Cohort }) {
  const named = useCohortsById(listNamedCohorts(cohort.filters))
  const { data: actions = [] } = useActionChoices({ enabled: namesAction(cohort.filters) })
  const nameOf = (id: number, type: 'cohort' | 'action') =>
    (type === 'cohort' ? named : actions).find((one) => one.id === id)?.name ?? `${id}`
  const words = describeCohort(cohort.filters, nameOf)
  if (!words) return null
  return (
    <Text size="sm" mt={4}>
      {words}
    </Text>
  )
}

function Members({ cohort }: { readonly cohort: Cohort }) {
  const { projectId, cohortId } = route.useParams()
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const persons = useCohortPersons(cohort.id, search)
  const { columns } = useColumns(persons.data?.pages[0]?.results ?? NONE)
  const removeButton = useRemoveButton(cohort)
  const find = (text: string | undefined) =>
    void navigate({
      to: '/project/$projectId/cohorts/$cohortId',
      params: { projectId, cohortId },
      search: { search: text },
      replace: true,
    })
  return (
    <>
      <Box maw={480} mb="md">
        <SearchBox label="Search members" value={search} onSearch={find} />
      </Box>
      <PersonResults
        columns={columns}
        action={cohort.is_static ? removeButton : undefined}
        query={persons}
        search={search}
        onSearch={find}
        empty={
          <EmptyState icon={IconUsersGroup} title="No members">
            {cohort.is_static
              ? 'No person with one of these distinct IDs has been seen.'
              : 'No person matches the conditions.'}
          </EmptyState>
        }
      />
    </>
  )
}

/** Returns a button that removes a person from a static cohort, which can be undone. */
function useRemoveButton({ id, name: cohort }: Cohort) {
  const { mutateAsync } = useChangeMember(id)
  return useCallback(
    ({ uuid, name }: Person) => {
      const change = (isMember: boolean) =>
        mutateAsync({ uuid, isMember }).then(
          () => true,
          () => false, // shown by the mutation cache
        )
      const remove = async () => {
        if (!(await change(false))) return
        showUndo(`${toLine(name)} removed from “${cohort}”`, () => void change(true))
      }
      return (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${toLine(name)}`}
          title="Remove from cohort"
          onClick={() => void remove()}
        >
          <IconX size={16} />
        </ActionIcon>
      )
    },
    [mutateAsync, cohort],
  )
}

const NONE: readonly never[] = []

import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import list from '../../ui/list/list.module.css'
import { ListResults, TrashFilters } from '../../ui/list/list-page.tsx'
import type { TrashSearch } from '../../ui/list/trash-search.ts'
import { Windowed } from '../../ui/list/windowed.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { type Cohort, useCohorts } from '../cohorts/api.ts'
import { CohortRow } from './cohort-row.tsx'
import { CreateDialog } from './create-dialog.tsx'

const route = getRouteApi('/project/$projectId/cohorts')
const COLUMNS = '20px minmax(0, 3fr) minmax(0, 1fr) minmax(0, 1.4fr) 120px 80px'

const row = (cohort: Cohort) => <CohortRow key={cohort.id} cohort={cohort} />

export function CohortsPage() {
  const search = route.useSearch()
  const { projectId } = route.useParams()
  const navigate = route.useNavigate()
  const [isCreating, setCreating] = useState(false)
  useHotkeys([['n', () => setCreating(true)]])
  const show = (change: TrashSearch) =>
    void navigate({
      to: '/project/$projectId/cohorts',
      search: { ...search, ...change },
      replace: true,
    })
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      New cohort
    </Button>
  )
  return (
    <Page title="Cohorts" about="Named sets of persons, for filters." actions={create}>
      <TrashFilters label="Search cohorts" search={search} onChange={show} />
      <ListResults
        thing="cohort"
        searched="name or description"
        search={search}
        onChange={() => show({ search: undefined })}
        query={useCohorts(search)}
        empty={<NoCohorts isTrash={search.view === 'trash'} />}
      >
        {({ pages, ...loaded }) => (
          <div className={list.frame} style={{ ['--list-columns' as string]: COLUMNS }}>
            <div className={list.head}>
              <span />
              <span>Name</span>
              <span>Members</span>
              <span>Created by</span>
              <span>Created</span>
              <span>Type</span>
            </div>
            <Windowed label="Cohorts" pages={pages.pages} row={row} {...loaded} />
          </div>
        )}
      </ListResults>
      {isCreating && (
        <CreateDialog
          onClose={() => setCreating(false)}
          onCreated={({ id }) =>
            void navigate({
              to: '/project/$projectId/cohorts/$cohortId',
              params: { projectId, cohortId: `${id}` },
            })
          }
        />
      )}
    </Page>
  )
}

const NoCohorts = ({ isTrash }: { readonly isTrash: boolean }) =>
  isTrash ? (
    <EmptyState icon={IconTrash} title="The trash is empty">
      Deleted cohorts appear here and can be restored.
    </EmptyState>
  ) : (
    <EmptyState icon={IconUsersGroup} title="No cohorts yet">
      A cohort is a set of persons: everyone whose properties match, or a list. Filter insights by
      it, or see who is in it.
    </EmptyState>
  )

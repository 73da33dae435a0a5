import { Button } from '@mantine/core'
import { IconLayoutDashboard, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useIsViewer, useProjectId } from '../../api/project.ts'
import { ListFilters, ListResults } from '../../ui/list/list-page.tsx'
import { useSelection } from '../../ui/list/use-selection.ts'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { useDashboards, useDashboardTags } from './api.ts'
import { DashboardList } from './dashboard-list.tsx'
import { NewDashboardButton } from './new-dashboard.tsx'
import { type DashboardListSearch, toListSearch, type View } from './search.ts'

const VIEWS = [
  { value: 'all', label: 'All' },
  { value: 'pinned', label: 'Pinned' },
  { value: 'mine', label: 'Mine' },
  { value: 'shared', label: 'Shared' },
  { value: 'trash', label: 'Trash' },
]

const FOR_VIEWERS = ['all', 'pinned']

const SORTS = [
  { value: '', label: 'Pinned, then name' },
  { value: '-last_modified_at', label: 'Last modified first' },
  { value: '-created_at', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
]

export function DashboardListPage() {
  const projectId = `${useProjectId()}`
  const search = useSearch({ from: '/project/$projectId/dashboards' })
  const navigate = useNavigate()
  const setSearch = useCallback(
    (change: DashboardListSearch) =>
      void navigate({
        to: '/project/$projectId/dashboards',
        params: { projectId },
        search: (before) => toListSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate, projectId],
  )
  const pickTag = useCallback((tag: string) => setSearch({ tags: [tag] }), [setSearch])
  const selection = useSelection(search)
  const tags = useDashboardTags()
  const isTrash = search.view === 'trash'
  const isViewer = useIsViewer()
  return (
    <Page title="Dashboards" actions={!isViewer && <NewDashboardButton />}>
      <ListFilters
        things="dashboards"
        views={isViewer ? VIEWS.filter(({ value }) => FOR_VIEWERS.includes(value)) : VIEWS}
        sorts={isTrash ? SORTS.slice(1) : SORTS}
        defaultSort={isTrash ? '-last_modified_at' : undefined}
        knownTags={tags.data ?? []}
        search={search}
        onChange={setSearch}
      />
      <ListResults
        thing="dashboard"
        search={search}
        onChange={setSearch}
        query={useDashboards(search)}
        empty={<NoDashboards view={search.view} onShowAll={() => setSearch({ view: undefined })} />}
      >
        {(list) => (
          <DashboardList isTrash={isTrash} selection={selection} onPickTag={pickTag} {...list} />
        )}
      </ListResults>
    </Page>
  )
}

const NO_ITEMS = {
  pinned: ['No pinned dashboards', 'Pinned dashboards come first in the list.'],
  mine: ['You have no dashboards yet', 'Dashboards that you create appear here.'],
  shared: ['No shared dashboards', 'Dashboards with a public link appear here.'],
} as const

interface NoDashboardsProps {
  readonly view: View | undefined
  readonly onShowAll: () => void
}

function NoDashboards({ view, onShowAll }: NoDashboardsProps) {
  const isViewer = useIsViewer()
  const projectId = `${useProjectId()}`
  if (view === 'trash') {
    return (
      <EmptyState icon={IconTrash} title="The trash is empty">
        Deleted dashboards appear here and can be restored.
      </EmptyState>
    )
  }
  if (view) {
    const [title, about] = NO_ITEMS[view]
    return (
      <EmptyState
        icon={IconLayoutDashboard}
        title={title}
        action={
          <Button variant="default" onClick={onShowAll}>
            Show all dashboards
          </Button>
        }
      >
        {about}
      </EmptyState>
    )
  }
  if (isViewer) {
    return (
      <EmptyState icon={IconLayoutDashboard} title="No dashboards yet">
        Dashboards that members of the project create appear here.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconLayoutDashboard}
      title="Create your first dashboard"
      action={
        <Button
          renderRoot={(props) => (
            <Link to="/project/$projectId/templates" params={{ projectId }} {...props} />
          )}
        >
          Choose a template
        </Button>
      }
    >
      A dashboard shows your key metrics on one page. Start from a template and its charts fill as
      events come in.
    </EmptyState>
  )
}

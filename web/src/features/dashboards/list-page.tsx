import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { IconLayoutDashboard, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type Dispatch, type SetStateAction, useCallback, useState } from 'react'
import { useProjectId } from '../../api/project.ts'
import classes from '../../ui/list/list.module.css'
import { NothingFound } from '../../ui/list/nothing-found.tsx'
import { totalCount } from '../../ui/list/pages.ts'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { TagFilter } from '../../ui/list/tags.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { useDashboards, useDashboardTags } from './api.ts'
import { DashboardList } from './dashboard-list.tsx'
import { NewDashboard } from './new-dashboard.tsx'
import { type ListSearch, type Sort, toListSearch, type View } from './search.ts'

const VIEW_LABELS = [
  { value: 'all', label: 'All' },
  { value: 'pinned', label: 'Pinned' },
  { value: 'mine', label: 'Mine' },
  { value: 'shared', label: 'Shared' },
  { value: 'trash', label: 'Trash' },
]

const SORT_LABELS = [
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
  const look = useCallback(
    (change: Partial<ListSearch>) =>
      void navigate({
        to: '/project/$projectId/dashboards',
        params: { projectId },
        search: (before) => toListSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate, projectId],
  )
  const [selected, setSelected] = useState<ReadonlySet<number>>(NONE)
  // what is not seen any more is not selected any more
  const [seen, setSeen] = useState(search)
  if (JSON.stringify(seen) !== JSON.stringify(search)) {
    setSeen(search)
    setSelected(NONE)
  }
  return (
    <Page title="Dashboards" actions={<NewDashboard />}>
      <Filters search={search} onChange={look} />
      <Found search={search} onChange={look} selected={selected} onSelect={setSelected} />
    </Page>
  )
}

const NONE: ReadonlySet<number> = new Set()

interface FiltersProps {
  readonly search: ListSearch
  readonly onChange: (change: Partial<ListSearch>) => void
}

function Filters({ search, onChange }: FiltersProps) {
  const tags = useDashboardTags()
  const isTrash = search.view === 'trash'
  return (
    <>
      <SegmentedControl
        aria-label="View"
        mb="sm"
        className={classes.views}
        size="sm"
        data={VIEW_LABELS}
        value={search.view ?? 'all'}
        onChange={(view) => onChange({ view: view === 'all' ? undefined : (view as View) })}
      />
      <div className={classes.filters}>
        <SearchBox
          label="Search dashboards"
          value={search.search}
          onSearch={(text) => onChange({ search: text })}
        />
        <TagFilter
          known={tags.data ?? []}
          value={search.tags ?? []}
          onChange={(chosen) => onChange({ tags: chosen.length > 0 ? chosen : undefined })}
        />
        <Select
          aria-label="Sort"
          data={isTrash ? SORT_LABELS.slice(1) : SORT_LABELS}
          value={search.sort ?? (isTrash ? '-last_modified_at' : '')}
          onChange={(sort) => onChange({ sort: (sort || undefined) as Sort | undefined })}
          allowDeselect={false}
        />
      </div>
    </>
  )
}

interface FoundProps extends FiltersProps {
  readonly selected: ReadonlySet<number>
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<number>>>
}

function Found({ search, onChange, selected, onSelect }: FoundProps) {
  const dashboards = useDashboards(search)
  const { fetchNextPage } = dashboards
  const onMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const pickTag = useCallback((tag: string) => onChange({ tags: [tag] }), [onChange])
  const isTrash = search.view === 'trash'
  return (
    <QueryContent query={dashboards}>
      {(pages) =>
        totalCount(pages) === 0 ? (
          <Nothing search={search} onChange={onChange} />
        ) : (
          <>
            <Text size="sm" c="dimmed" mb="xs" role="status" className="tabular">
              {toCount(totalCount(pages))}
              {isTrash && ' in the trash'}
            </Text>
            <DashboardList
              pages={pages.pages}
              isTrash={isTrash}
              selected={selected}
              onSelect={onSelect}
              onPickTag={pickTag}
              hasMore={dashboards.hasNextPage}
              isLoadingMore={dashboards.isFetchingNextPage}
              onMore={onMore}
            />
          </>
        )
      }
    </QueryContent>
  )
}

const toCount = (count: number): string =>
  count === 1 ? '1 dashboard' : `${count.toLocaleString('en')} dashboards`

function Nothing({ search: { search, tags, view }, onChange }: FiltersProps) {
  const projectId = `${useProjectId()}`
  const isFiltered = search !== undefined || tags !== undefined
  if (isFiltered) {
    const onClear = () => onChange({ search: undefined, tags: undefined })
    return <NothingFound thing="dashboard" onClear={onClear} />
  }
  if (view === 'trash') {
    return (
      <EmptyState icon={IconTrash} title="The trash is empty">
        Deleted dashboards appear here and can be restored.
      </EmptyState>
    )
  }
  if (view) {
    return (
      <EmptyState
        icon={IconLayoutDashboard}
        title={NOTHING[view]}
        action={
          <Button variant="default" onClick={() => onChange({ view: undefined })}>
            Show all dashboards
          </Button>
        }
      >
        {NOTHING_YET[view]}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconLayoutDashboard}
      title="Create your first dashboard"
      action={
        <Group justify="center" gap="xs">
          <Button
            renderRoot={(props) => (
              <Link to="/project/$projectId/templates" params={{ projectId }} {...props} />
            )}
          >
            Choose a template
          </Button>
        </Group>
      }
    >
      A dashboard shows your key metrics on one page. Start from a template and its charts fill as
      events come in.
    </EmptyState>
  )
}

const NOTHING = {
  pinned: 'No pinned dashboards',
  mine: 'You have no dashboards yet',
  shared: 'No shared dashboards',
} as const

const NOTHING_YET = {
  pinned: 'Pinned dashboards come first in the list.',
  mine: 'Dashboards that you create appear here.',
  shared: 'Dashboards with a public link appear here.',
} as const

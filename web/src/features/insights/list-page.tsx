import { Button, SegmentedControl, Select, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconChartLine, IconPlus, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import { useProjectId } from '../../api/project.ts'
import classes from '../../ui/list/list.module.css'
import { NothingFound } from '../../ui/list/nothing-found.tsx'
import { type Pages, totalCount } from '../../ui/list/pages.ts'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { TagFilter } from '../../ui/list/tags.tsx'
import { Windowed } from '../../ui/list/windowed.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { AddToDashboardDialog, InsightTagsDialog } from './insight-dialogs.tsx'
import { type InsightDialog, InsightRow } from './insight-row.tsx'
import { type InsightItem, useDashboardNames, useInsights, useInsightTags } from './list-api.ts'
import {
  type InsightListSearch,
  type InsightSort,
  type InsightView,
  toInsightListSearch,
} from './search.ts'

const VIEW_LABELS = [
  { value: 'all', label: 'All' },
  { value: 'favorites', label: 'Favorites' },
  { value: 'mine', label: 'Mine' },
  { value: 'trash', label: 'Trash' },
]

const SORT_LABELS = [
  { value: '', label: 'Last modified first' },
  { value: '-created_at', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
]

const COLUMNS = '20px minmax(0, 3fr) minmax(0, 2fr) minmax(0, 1.5fr) 120px 28px 28px'

export function InsightListPage() {
  const projectId = `${useProjectId()}`
  const search = useSearch({ from: '/project/$projectId/insights' })
  const navigate = useNavigate()
  const look = useCallback(
    (change: Partial<InsightListSearch>) =>
      void navigate({
        to: '/project/$projectId/insights',
        params: { projectId },
        search: (before) => toInsightListSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate, projectId],
  )
  useHotkeys([
    ['n', () => void navigate({ to: '/project/$projectId/insights/new', params: { projectId } })],
  ])
  return (
    <Page title="Insights" actions={<NewInsight />}>
      <Filters search={search} onChange={look} />
      <Found search={search} onChange={look} />
    </Page>
  )
}

function NewInsight() {
  const projectId = `${useProjectId()}`
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => (
        <Link to="/project/$projectId/insights/new" params={{ projectId }} {...props} />
      )}
    >
      New insight
    </Button>
  )
}

interface FiltersProps {
  readonly search: InsightListSearch
  readonly onChange: (change: Partial<InsightListSearch>) => void
}

function Filters({ search, onChange }: FiltersProps) {
  const tags = useInsightTags()
  return (
    <>
      <SegmentedControl
        aria-label="View"
        mb="sm"
        className={classes.views}
        data={VIEW_LABELS}
        value={search.view ?? 'all'}
        onChange={(view) => onChange({ view: view === 'all' ? undefined : (view as InsightView) })}
      />
      <div className={classes.filters}>
        <SearchBox
          label="Search insights"
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
          data={SORT_LABELS}
          value={search.sort ?? ''}
          onChange={(sort) => onChange({ sort: (sort || undefined) as InsightSort | undefined })}
          allowDeselect={false}
        />
      </div>
    </>
  )
}

function Found({ search, onChange }: FiltersProps) {
  const insights = useInsights(search)
  const pickTag = useCallback((tag: string) => onChange({ tags: [tag] }), [onChange])
  const { fetchNextPage } = insights
  const onMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return (
    <QueryContent query={insights}>
      {(pages) =>
        totalCount(pages) === 0 ? (
          <Nothing search={search} onChange={onChange} />
        ) : (
          <InsightList
            pages={pages}
            onPickTag={pickTag}
            hasMore={insights.hasNextPage}
            isLoadingMore={insights.isFetchingNextPage}
            onMore={onMore}
          />
        )
      }
    </QueryContent>
  )
}

interface InsightListProps {
  readonly pages: Pages<InsightItem>
  readonly onPickTag: (tag: string) => void
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly onMore: () => void
}

function InsightList({ pages, onPickTag, ...more }: InsightListProps) {
  const [dialog, setDialog] = useState<InsightDialog>()
  const closeDialog = useCallback(() => setDialog(undefined), [])
  const names = useDashboardNames(pages)
  const row = useCallback(
    (item: InsightItem): ReactNode => (
      <InsightRow
        key={item.id}
        item={item}
        names={names}
        onPickTag={onPickTag}
        onDialog={setDialog}
      />
    ),
    [names, onPickTag],
  )
  const count = totalCount(pages)
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status" className="tabular">
        {count === 1 ? '1 insight' : `${count.toLocaleString('en')} insights`}
      </Text>
      <div className={classes.frame} style={{ ['--list-columns' as string]: COLUMNS }}>
        <div className={classes.head}>
          <span />
          <span>Name</span>
          <span>On dashboards</span>
          <span>Tags</span>
          <span>Last modified</span>
        </div>
        <Windowed label="Insights" pages={pages.pages} row={row} {...more} />
      </div>
      {dialog?.kind === 'tags' && <InsightTagsDialog item={dialog.item} onClose={closeDialog} />}
      {dialog?.kind === 'place' && (
        <AddToDashboardDialog item={dialog.item} onClose={closeDialog} />
      )}
    </>
  )
}

function Nothing({ search: { search, tags, view }, onChange }: FiltersProps) {
  if (search !== undefined || tags !== undefined) {
    const onClear = () => onChange({ search: undefined, tags: undefined })
    return <NothingFound thing="insight" onClear={onClear} />
  }
  if (view === 'trash') {
    return (
      <EmptyState icon={IconTrash} title="The trash is empty">
        Deleted insights appear here and can be restored.
      </EmptyState>
    )
  }
  if (view) {
    return (
      <EmptyState
        icon={IconChartLine}
        title={view === 'mine' ? 'You have no insights yet' : 'No favorites yet'}
      >
        {view === 'mine'
          ? 'Insights that you create appear here.'
          : 'Starred insights appear here.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconChartLine} title="Create your first insight" action={<NewInsight />}>
      An insight is a query over your events, shown as a chart.
    </EmptyState>
  )
}

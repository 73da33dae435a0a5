import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconChartLine, IconPlus, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import { useIsViewer, useProjectId } from '../../api/project.ts'
import classes from '../../ui/list/list.module.css'
import { ListFilters, ListResults, type LoadedList } from '../../ui/list/list-page.tsx'
import { Windowed } from '../../ui/list/windowed.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { AddToDashboardDialog, InsightTagsDialog } from './insight-dialogs.tsx'
import { type InsightDialog, InsightListRow } from './insight-row.tsx'
import { type InsightItem, useDashboardNames, useInsights, useInsightTags } from './list-api.ts'
import { type InsightListSearch, type InsightView, toInsightListSearch } from './search.ts'

const VIEWS = [
  { value: 'all', label: 'All' },
  { value: 'favorites', label: 'Favorites' },
  { value: 'mine', label: 'Mine' },
  { value: 'trash', label: 'Trash' },
]

const FOR_VIEWERS = ['all', 'favorites']

const SORTS = [
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
  const setSearch = useCallback(
    (change: InsightListSearch) =>
      void navigate({
        to: '/project/$projectId/insights',
        params: { projectId },
        search: (before) => toInsightListSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate, projectId],
  )
  const pickTag = useCallback((tag: string) => setSearch({ tags: [tag] }), [setSearch])
  const tags = useInsightTags()
  const isViewer = useIsViewer()
  useHotkeys([
    [
      'n',
      () =>
        !isViewer &&
        void navigate({ to: '/project/$projectId/insights/new', params: { projectId } }),
    ],
  ])
  return (
    <Page title="Insights" actions={!isViewer && <NewInsight />}>
      <ListFilters
        things="insights"
        views={isViewer ? VIEWS.filter(({ value }) => FOR_VIEWERS.includes(value)) : VIEWS}
        sorts={SORTS}
        knownTags={tags.data ?? []}
        search={search}
        onChange={setSearch}
      />
      <ListResults
        thing="insight"
        search={search}
        onChange={setSearch}
        query={useInsights(search)}
        empty={<NoInsights view={search.view} />}
      >
        {(list) => <InsightList onPickTag={pickTag} {...list} />}
      </ListResults>
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

interface InsightListProps extends LoadedList<InsightItem> {
  readonly onPickTag: (tag: string) => void
}

function InsightList({ pages, onPickTag, ...list }: InsightListProps) {
  const [dialog, setDialog] = useState<InsightDialog>()
  const closeDialog = useCallback(() => setDialog(undefined), [])
  const names = useDashboardNames(pages)
  const row = useCallback(
    (item: InsightItem): ReactNode => (
      <InsightListRow
        key={item.id}
        item={item}
        names={names}
        onPickTag={onPickTag}
        onDialog={setDialog}
      />
    ),
    [names, onPickTag],
  )
  return (
    <>
      <div className={classes.frame} style={{ ['--list-columns' as string]: COLUMNS }}>
        <div className={classes.head}>
          <span />
          <span>Name</span>
          <span>On dashboards</span>
          <span>Tags</span>
          <span>Last modified</span>
        </div>
        <Windowed label="Insights" pages={pages.pages} row={row} {...list} />
      </div>
      {dialog?.kind === 'tags' && <InsightTagsDialog item={dialog.item} onClose={closeDialog} />}
      {dialog?.kind === 'dashboard' && (
        <AddToDashboardDialog item={dialog.item} onClose={closeDialog} />
      )}
    </>
  )
}

function NoInsights({ view }: { readonly view: InsightView | undefined }) {
  const isViewer = useIsViewer()
  switch (view) {
    case 'trash':
      return (
        <EmptyState icon={IconTrash} title="The trash is empty">
          Deleted insights appear here and can be restored.
        </EmptyState>
      )
    case 'mine':
      return (
        <EmptyState icon={IconChartLine} title="You have no insights yet">
          Insights that you create appear here.
        </EmptyState>
      )
    case 'favorites':
      return (
        <EmptyState icon={IconChartLine} title="No favorites yet">
          Starred insights appear here.
        </EmptyState>
      )
    default:
      if (isViewer) {
        return (
          <EmptyState icon={IconChartLine} title="No insights yet">
            Insights that members of the project create appear here.
          </EmptyState>
        )
      }
      return (
        <EmptyState icon={IconChartLine} title="Create your first insight" action={<NewInsight />}>
          An insight is a query over your events, shown as a chart.
        </EmptyState>
      )
  }
}

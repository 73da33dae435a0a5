import { Alert, Text, VisuallyHidden } from '@mantine/core'
import { useDocumentTitle, useInterval, useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { CAN_EDIT } from '#model/levels.ts'
import { useProject } from '../../api/project.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import { useUnsavedGuard } from '../../ui/form/unsaved-guard.ts'
import { lazyComponent } from '../../ui/page/lazy-component.tsx'
import type { DashboardSearch } from '../dashboard-list/search.ts'
import { type DashboardState, useRefreshDashboard } from './api.ts'
import { DashboardContextProvider } from './context.ts'
import { applySteps } from './editing/editor.ts'
import { useEditor } from './editing/use-editor.ts'
import { DashboardFilterBar } from './filters/filter-bar.tsx'
import type { Override } from './filters/override.ts'
import { Grid } from './grid/grid.tsx'
import { AddMenu } from './header/add-menu.tsx'
import { DashboardHeader } from './header/header.tsx'
import { loadDialogs } from './load-dialogs.ts'
import classes from './page.module.css'
import { useDashboardContextValue } from './use-context-value.ts'
import { useShortcuts } from './use-shortcuts.ts'

const DemoBanner = lazyComponent(async () => (await loadDialogs()).DemoBanner)
const Kiosk = lazyComponent(async () => (await import('./kiosk/kiosk.tsx')).Kiosk)
const ReadOnly = lazyComponent(async () => (await loadDialogs()).ReadOnly)
const EmptyDashboard = lazyComponent(async () => (await loadDialogs()).EmptyDashboard)
const TransferDialog = lazyComponent(async () => (await loadDialogs()).TransferDialog)
const ConflictDialog = lazyComponent(async () => (await loadDialogs()).ConflictDialog)

/** Too narrow for two tiles side by side. */
const PHONE = '(max-width: 640px)'

interface LoadedDashboardProps {
  readonly now: DashboardState
  readonly search: DashboardSearch
  readonly override: Override
  /** The results belong to other filters. */
  readonly isOutdated: boolean
  /** Error of the last poll. */
  readonly problem: Error | null
}

export function LoadedDashboard({
  now,
  search,
  override,
  isOutdated,
  problem,
}: LoadedDashboardProps) {
  const [editor, state] = useEditor(now, override)
  const dashboard = useMemo(
    () => applySteps(now.dashboard, state.pending),
    [now.dashboard, state.pending],
  )
  const refresh = useRefreshDashboard(dashboard.id, override)
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  const isKiosk = search.kiosk === true
  const isDemo = useProject()?.is_demo
  const canRemoveDemo = isAdmin(useMe())
  const canEdit = dashboard.effective_privilege_level === CAN_EDIT && !dashboard.deleted && !isKiosk
  const { context, announcement, transfer, endTransfer } = useDashboardContextValue({
    dashboard: now.dashboard,
    editor,
    canEdit,
    isKiosk,
    isPhone,
    refreshAll: refresh.mutate,
    override,
    isOutdated,
  })
  useDocumentTitle(`${dashboard.name || 'Untitled dashboard'} · Hedgerow`)
  useShortcuts(editor, canEdit)
  useAutoRefresh(search.refresh, refresh.mutate)
  const grid = <Grid tiles={dashboard.tiles} isOutdated={isOutdated} />
  return (
    <DashboardContextProvider value={context}>
      {isKiosk ? (
        <Kiosk dashboard={dashboard} search={search}>
          {grid}
        </Kiosk>
      ) : (
        <div>
          <DashboardHeader
            dashboard={dashboard}
            state={state}
            search={search}
            isRefreshing={refresh.isPending}
            onRefresh={refresh.mutate}
          />
          {isDemo && canRemoveDemo && (
            <div className={`no-print ${classes.banner}`}>
              <DemoBanner />
            </div>
          )}
          {!canEdit && <ReadOnly dashboard={dashboard} />}
          {problem && (
            <Alert color="orange" icon={<IconAlertTriangle size={18} />} mb="md" role="alert">
              <Text size="sm">Data may be out of date. {problem.message}</Text>
            </Alert>
          )}
          {!context.isViewer && <DashboardFilterBar dashboard={dashboard} search={search} />}
          {grid}
          {dashboard.tiles.length === 0 && (
            <EmptyDashboard add={<AddMenu label="Add your first tile" />} />
          )}
        </div>
      )}
      <VisuallyHidden role="status" aria-live="polite">
        {announcement}
      </VisuallyHidden>
      {transfer && <TransferDialog {...transfer} onClose={endTransfer} />}
      {state.pending.length > 0 && <UnsavedGuard settled={editor.settled} />}
      {state.status === 'conflict' && (
        <ConflictDialog editor={editor} state={state} dashboardId={dashboard.id} />
      )}
    </DashboardContextProvider>
  )
}

/** Recomputes everything at an interval, for results that change without new events. */
function useAutoRefresh(seconds: number | undefined, refresh: () => void): void {
  const { start, stop } = useInterval(refresh, (seconds ?? 60) * 1000)
  useEffect(() => {
    if (seconds === undefined) return
    start()
    return stop
  }, [seconds, start, stop])
}

/** Guards the page while it has unsaved edits. */
function UnsavedGuard({ settled }: { readonly settled: () => Promise<boolean> }) {
  useUnsavedGuard(true, settled)
  return null
}

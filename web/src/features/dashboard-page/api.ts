import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Activity } from '#server/features/activity/schema.ts'
import type { Dashboard, DashboardWrite } from '#server/features/dashboards/dashboards/schema.ts'
import { ApiError, api, type ListPage, withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { applyChange, type DashboardEdit, type Deletion } from './editing/changes.ts'
import type { Snapshot } from './editing/editor.ts'
import { hasFilters, type Override } from './filters/override.ts'
import { isComputing } from './tile/state.ts'

/** Polling intervals; a hidden page does not poll. docs/decisions/0015 explains why it polls instead of streaming. */
const POLL_MS = 3000
const COMPUTING_POLL_MS = 700
/** Keeps the page from fetching again what the router preloaded. */
const FRESH_MS = 1000

export const basePath = (projectId: number): string => `/api/environments/${projectId}`
export const dashboardPath = (projectId: number, id: number): string =>
  `${basePath(projectId)}/dashboards/${id}`

/** A dashboard with its results and its latest activity. */
export interface DashboardState extends Snapshot {
  readonly latest: Activity | undefined
  /** The ETag of this state; null after a local change. */
  readonly tag: string | null
  /** The filters of the results. */
  readonly override: Override
}

/** Viewers, who edit nothing, are refused the activity. */
const fetchLatestActivity = (path: string): Promise<Activity | undefined> =>
  api.get<ListPage<Activity>>(`${path}/activity`, { limit: 1 }).then(
    ({ results }) => results[0],
    (error: ApiError) => {
      if (error.status !== 403) throw error
      return undefined
    },
  )

/** Returns the saved `filters` and `variables`; overrides live in the URL only. */
async function fetchDashboard(
  path: string,
  override: Override,
  refresh?: 'force_async',
): Promise<DashboardState> {
  const isOverridden = hasFilters(override)
  const [latest, { body: dashboard, headers }, saved] = await Promise.all([
    fetchLatestActivity(path),
    api.exchange<Dashboard>('GET', withQuery(path, { ...override, refresh })),
    isOverridden ? api.get<Dashboard>(path, { refresh: 'force_cache' }) : undefined,
  ])
  const { filters, variables } = saved ?? dashboard
  return {
    dashboard: { ...dashboard, filters, variables },
    latest,
    seen: latest?.id ?? 0,
    tag: headers.get('etag'),
    override,
  }
}

/** Costs one request without a body while nothing has changed. */
async function refetchIfChanged(
  path: string,
  override: Override,
  before: DashboardState | undefined,
): Promise<DashboardState> {
  if (!before?.tag) return fetchDashboard(path, override)
  const { headers } = await api.exchange('GET', withQuery(path, { ...override }))
  return headers.get('etag') === before.tag ? before : fetchDashboard(path, override)
}

export const dashboardKey = (projectId: number, id: number) => ['dashboard', projectId, id] as const

export const dashboardQuery = (projectId: number, id: number, override: Override) =>
  queryOptions({
    queryKey: [...dashboardKey(projectId, id), override],
    queryFn: ({ client, queryKey }) =>
      refetchIfChanged(dashboardPath(projectId, id), override, client.getQueryData(queryKey)),
    // after a filter change the old results stay until the new ones arrive
    placeholderData: (before) => (before?.dashboard.id === id ? before : undefined),
    refetchInterval: ({ state }) =>
      state.data?.dashboard.tiles.some(isComputing) ? COMPUTING_POLL_MS : POLL_MS,
    staleTime: FRESH_MS,
  })

export function useRefreshDashboard(id: number, override: Override) {
  const client = useQueryClient()
  const projectId = useProjectId()
  const { queryKey } = dashboardQuery(projectId, id, override)
  return useMutation({
    mutationFn: async () => {
      const now = await fetchDashboard(dashboardPath(projectId, id), override, 'force_async')
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, now)
    },
  })
}

/** Recomputes one insight; dashboards that show it refetch. */
export function useRefreshInsight(dashboardId: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (insightId: number) =>
      api.get(`${basePath(projectId)}/insights/${insightId}`, { refresh: 'force_blocking' }),
    meta: { stale: [dashboardKey(projectId, dashboardId)] },
  })
}

/** The server rejects it with 409 if someone else has edited the dashboard since `seen`. */
export async function sendChange(
  projectId: number,
  known: Snapshot,
  change: DashboardEdit,
  seen: number,
): Promise<Snapshot> {
  const { insight, insights = [], elsewhere } = change
  if (insight) {
    await api.patch(`${basePath(projectId)}/insights/${insight.id}`, { name: insight.name })
    return { dashboard: applyChange(known.dashboard, { insight }), seen }
  }
  if (elsewhere) {
    const { dashboard, tiles, deleted } = elsewhere
    await api.patch(dashboardPath(projectId, dashboard), {
      tiles: tiles.map((id) => ({ id, deleted })),
    })
  }
  const setInsights = (given: readonly Deletion[]) =>
    Promise.all(
      given.map(({ id, deleted }) =>
        api.patch(`${basePath(projectId)}/insights/${id}`, { deleted }),
      ),
    )
  // a tile shows its insight only while the insight exists
  await setInsights(insights.filter(({ deleted }) => !deleted))
  const saved = await sendOwn(projectId, known, change, seen)
  await setInsights(insights.filter(({ deleted }) => deleted))
  return saved
}

async function sendOwn(
  projectId: number,
  known: Snapshot,
  { fields, tiles }: DashboardEdit,
  seen: number,
): Promise<Snapshot> {
  if (!fields && !tiles) return { ...known, seen }
  const path = withQuery(dashboardPath(projectId, known.dashboard.id), { seen_activity: seen })
  const body = { ...fields, ...(tiles && { tiles }) }
  const { body: patched, headers } = await api.exchange<Dashboard>('PATCH', path, body)
  return { dashboard: patched, seen: Number(headers.get('x-seen-activity') ?? seen) }
}

export const isConflict = (error: Error): boolean =>
  error instanceof ApiError && error.status === 409

/** Keeps the known results, because the response to an edit contains none. */
export function mergeSaved(
  before: DashboardState,
  saved: Snapshot,
  keepsResults: boolean,
): DashboardState {
  const known = new Map(before.dashboard.tiles.map((tile) => [tile.id, tile]))
  const tiles = saved.dashboard.tiles.map((tile) => {
    const old = known.get(tile.id)
    if (!tile.insight || !old?.insight) return tile
    if (!keepsResults && tile.insight.result !== null) return tile
    const { result, query_status, last_refresh, is_cached } = old.insight
    return {
      ...tile,
      last_refresh: old.last_refresh,
      filters_not_applied: old.filters_not_applied,
      insight: { ...tile.insight, result, query_status, last_refresh, is_cached },
    }
  })
  return { ...before, seen: saved.seen, tag: null, dashboard: { ...saved.dashboard, tiles } }
}

/** Moves the dashboard to the trash or restores it. */
export function useTrashDashboard(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (body: Pick<DashboardWrite, 'deleted'>) =>
      api.patch<Dashboard>(dashboardPath(projectId, id), body),
    meta: { stale: [dashboardKey(projectId, id), ['dashboards']] },
  })
}

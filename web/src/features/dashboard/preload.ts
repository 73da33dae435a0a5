import type { QueryClient } from '@tanstack/react-query'
import { preloadCharts } from '../../ui/preload-charts.ts'
import { toDashboardSearch } from '../dashboards/search.ts'
import { dashboardQuery } from './api.ts'
import { toOverride } from './filters/override.ts'

interface Opened {
  readonly context: { readonly client: QueryClient }
  readonly params: { readonly projectId: string; readonly dashboardId: string }
  readonly location: { readonly search: object }
}

/** What the page shows and what draws it are asked for beside the page, not after it. */
export function preloadDashboard({ context: { client }, params, location }: Opened): void {
  preloadCharts()
  const [projectId, id] = [Number(params.projectId), Number(params.dashboardId)]
  const override = toOverride(toDashboardSearch({ ...location.search }))
  if (projectId > 0 && id > 0) void client.prefetchQuery(dashboardQuery(projectId, id, override))
}

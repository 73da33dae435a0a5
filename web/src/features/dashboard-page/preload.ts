import type { QueryClient } from '@tanstack/react-query'
import { preloadCharts } from '../../ui/chart/preload.ts'
import { toDashboardSearch } from '../dashboard-list/search.ts'
import { dashboardQuery } from './api.ts'
import { toOverride } from './filters/override.ts'
import { readSectionChoices } from './use-section-choices.ts'

interface PreloadInput {
  readonly context: { readonly client: QueryClient }
  readonly params: { readonly projectId: string; readonly dashboardId: string }
  readonly location: { readonly search: object }
}

/** Fetches the dashboard and the chart code while the page's code loads. */
export function preloadDashboard({ context: { client }, params, location }: PreloadInput): void {
  preloadCharts()
  const [projectId, id] = [Number(params.projectId), Number(params.dashboardId)]
  const search = toDashboardSearch({ ...location.search })
  const override = toOverride(search, readSectionChoices(id))
  if (projectId > 0 && id > 0) void client.prefetchQuery(dashboardQuery(projectId, id, override))
}

import { flowTiles } from '#model/grid.ts'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { WebGoalsQuery } from '#model/query-kinds/web-goals.schema.ts'
import type { WebOverviewQuery } from '#model/query-kinds/web-overview.schema.ts'
import { LAST_WEEK } from '#model/query-kinds/web-rows.ts'
import type { WebStatsTableQuery } from '#model/query-kinds/web-stats-table.schema.ts'
import { WEB_BREAKDOWNS, type WebBreakdown } from '#model/web-breakdowns.ts'
import { FIGURE_LABELS } from '#model/web-figures.ts'
import type { Dates } from '../../ui/form/date-ranges.ts'
import { type Goal, toGoalNode } from './goals.ts'
import { CARD_NAMES, type Charted, chosenOf, type VisitFilters, type WebSearch } from './search.ts'

export const datesOf = ({ date_from, date_to }: VisitFilters): Dates =>
  date_from || date_to ? { date_from, date_to } : LAST_WEEK

const toCommon = (filters: VisitFilters) => ({
  dateRange: { ...datesOf(filters) },
  compareFilter: { compare: filters.compare !== false },
  ...(filters.properties && { properties: filters.properties as readonly PropertyFilter[] }),
})

export const toOverview = (filters: VisitFilters): WebOverviewQuery => ({
  kind: 'WebOverviewQuery',
  ...toCommon(filters),
})

export const nameBreakdown = (breakdown: WebBreakdown): string => WEB_BREAKDOWNS[breakdown].label

export const toBreakdown = (
  filters: VisitFilters,
  breakdownBy: WebBreakdown,
  limit: number,
): WebStatsTableQuery => ({
  kind: 'WebStatsTableQuery',
  breakdownBy,
  limit,
  ...toCommon(filters),
})

export const toGoalsQuery = (filters: VisitFilters, goals: readonly Goal[]): WebGoalsQuery => ({
  kind: 'WebGoalsQuery',
  ...(goals.length > 0 ? { goals: goals.map(toGoalNode) } : { limit: 10 }),
  ...toCommon(filters),
})

const MATHS = { visitors: 'dau', views: 'total', sessions: 'unique_session' } as const

/** Counts page views over time in the way of a figure. */
export const toTrend = (filters: VisitFilters, figure: Charted): TrendsQuery => ({
  kind: 'TrendsQuery',
  series: [
    {
      kind: 'EventsNode',
      event: '$pageview',
      math: MATHS[figure],
      custom_name: FIGURE_LABELS[figure],
    },
  ],
  interval: toInterval(datesOf(filters)),
  ...toCommon(filters),
})

const DAY_MS = 86_400_000

/** Returns an interval of which the dates have neither few nor hundreds. */
function toInterval({ date_from, date_to }: Dates): 'hour' | 'day' | 'week' | 'month' {
  const from = date_from ?? ''
  if (from === 'all') return 'month'
  if (from === 'yStart') return 'week'
  if (from === 'dStart' || from === '-1dStart') return 'hour'
  const [, count, unit] = /^-(\d+)([hdwmy])$/.exec(from) ?? []
  const days = unit
    ? Number(count) * { h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }[unit as 'h']
    : ((date_to ? Date.parse(date_to) : Date.now()) - Date.parse(from)) / DAY_MS
  if (days <= 2) return 'hour'
  if (days <= 100 || Number.isNaN(days)) return 'day'
  return days <= 800 ? 'week' : 'month'
}

/** Filters the visits to those with a value of a breakdown, or without any. */
export const toFilter = (breakdown: WebBreakdown, value: string | null): PropertyFilter =>
  value === null
    ? { ...WEB_BREAKDOWNS[breakdown].filter, operator: 'is_not_set', value: null }
    : { ...WEB_BREAKDOWNS[breakdown].filter, operator: 'exact', value: [value] }

/** Returns a template of a dashboard that shows the same: its filters are those of the page. */
export function toDashboardTemplate(search: WebSearch, goals: readonly Goal[]) {
  const { properties } = search
  const tiles = [
    { name: 'Headline figures', query: toOverview({ compare: search.compare }), w: 4, h: 5 },
    {
      name: FIGURE_LABELS[search.figure ?? 'visitors'],
      query: toTrend(search, search.figure ?? 'visitors'),
      w: 8,
      h: 5,
    },
    ...CARD_NAMES.map((card) => {
      const breakdown = chosenOf(search, card)
      const query = toBreakdown({ compare: search.compare }, breakdown, 10)
      return { name: `By ${nameBreakdown(breakdown).toLowerCase()}`, query, w: 6, h: 6 }
    }),
    { name: 'Goals', query: toGoalsQuery({ compare: search.compare }, goals), w: 12, h: 5 },
  ]
  const layouts = flowTiles(tiles)
  return {
    template_name: 'Web analytics',
    dashboard_description: 'Visits, and where they come from.',
    dashboard_filters: { ...datesOf(search), ...(properties && { properties }) },
    tags: ['web'],
    tiles: tiles.map(({ name, query }, index) => ({
      type: 'INSIGHT',
      name,
      query: { kind: 'InsightVizNode', source: query },
      layouts: layouts[index],
    })),
  }
}

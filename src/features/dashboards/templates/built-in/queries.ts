/** Building blocks of the built-in templates' queries. */

type Source = Readonly<Record<string, unknown>>

export const queryTile = (source: Source) => ({ kind: 'InsightVizNode', source })

export const sqlTable = (query: string, chartSettings?: Source) => ({
  kind: 'DataVisualizationNode',
  source: { kind: 'HogQLQuery', query },
  display: 'ActionsTable',
  ...(chartSettings && { chartSettings }),
})

export const events = (event: string, math = 'total', more: Source = {}) => ({
  kind: 'EventsNode',
  event,
  name: event,
  math,
  ...more,
})

export const pageviews = (math = 'total', more: Source = {}) => events('$pageview', math, more)

/** Events with any name. */
export const anyEvents = (math = 'total', more: Source = {}) => ({
  ...events('All events', math, more),
  event: null,
})

export interface TrendOptions {
  readonly from: string
  readonly interval?: 'hour' | 'day' | 'week'
  readonly display?: string
  readonly breakdown?: string
  readonly compare?: boolean
  readonly series?: readonly Source[]
  readonly formula?: string
  /** The display settings of the chart. */
  readonly settings?: Source
  readonly properties?: readonly Source[]
}

/** One number, compared with the previous period. */
export const figure = (
  from: string,
  series: Source | readonly Source[],
  { formula, settings }: Pick<TrendOptions, 'formula' | 'settings'> = {},
) =>
  trend({
    from,
    ...(settings && { settings }),
    display: 'BoldNumber',
    compare: true,
    series: [series].flat(),
    ...(formula && { formula }),
  })

export const trend = ({ from, interval = 'day', display, breakdown, ...more }: TrendOptions) =>
  queryTile({
    kind: 'TrendsQuery',
    series: more.series ?? [pageviews('dau')],
    interval,
    dateRange: { date_from: from },
    ...(breakdown && { breakdownFilter: { breakdown, breakdown_type: 'event' } }),
    ...(more.compare && { compareFilter: { compare: true } }),
    ...(more.properties && { properties: more.properties }),
    trendsFilter: {
      display: display ?? 'ActionsLineGraph',
      ...(more.formula && { formula: more.formula }),
      ...more.settings,
    },
  })

/** The pieces that the built-in templates' queries are made of. */

type Source = Readonly<Record<string, unknown>>

export const insight = (source: Source) => ({ kind: 'InsightVizNode', source })

export const pageviews = (math = 'total', more: Source = {}) => ({
  kind: 'EventsNode',
  event: '$pageview',
  name: '$pageview',
  math,
  ...more,
})

export interface TrendOptions {
  readonly from: string
  readonly interval?: 'day' | 'week'
  readonly display?: string
  readonly breakdown?: string
  readonly series?: readonly Source[]
  readonly formula?: string
  readonly properties?: readonly Source[]
}

export const trend = ({ from, interval = 'day', display, breakdown, ...more }: TrendOptions) =>
  insight({
    kind: 'TrendsQuery',
    series: more.series ?? [pageviews('dau')],
    interval,
    dateRange: { date_from: from },
    ...(breakdown && { breakdownFilter: { breakdown, breakdown_type: 'event' } }),
    ...(more.properties && { properties: more.properties }),
    trendsFilter: {
      display: display ?? 'ActionsLineGraph',
      ...(more.formula && { formula: more.formula }),
    },
  })

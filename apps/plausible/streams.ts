/** One kind of daily figures, and the event that each of them becomes. */
export interface Stream {
  readonly name: string
  readonly event: string
  readonly metrics: readonly string[]
  /** The dimension besides the day, and the property that it becomes. */
  readonly by?: { readonly dimension: string; readonly property: string }
}

export const STREAMS: readonly Stream[] = [
  {
    name: 'days',
    event: 'plausible_day',
    metrics: ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'],
  },
  {
    name: 'pages',
    event: 'plausible_page',
    metrics: ['visitors', 'pageviews'],
    by: { dimension: 'event:page', property: 'page' },
  },
  {
    name: 'sources',
    event: 'plausible_source',
    metrics: ['visitors', 'visits'],
    by: { dimension: 'visit:source', property: 'source' },
  },
  {
    name: 'countries',
    event: 'plausible_country',
    metrics: ['visitors', 'visits'],
    by: { dimension: 'visit:country_name', property: 'country' },
  },
]

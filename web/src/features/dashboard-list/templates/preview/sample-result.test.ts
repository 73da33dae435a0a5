import { describe, expect, it } from 'vitest'
import { NO_EVENTS, NO_ROWS } from '#model/chart.ts'
import { loadDrawings, toPointedOption } from '#model/charts/to-option.ts'
import { SQL_DISPLAYS, TREND_DISPLAYS } from '#model/displays.ts'
import { QUERY_KINDS, toTextView } from '#model/query-kinds/index.ts'
import { toSampleResult } from './sample-result.ts'
import { toSampleRows } from './sample-sql.ts'

await loadDrawings()

const FRAME = { scheme: 'light', animation: false, width: 500, height: 300 } as const
const EMPTY = [NO_EVENTS, NO_ROWS, 'Not computed yet', 'This kind of query cannot be drawn']
const SERIES = [
  { kind: 'EventsNode', event: 'visit' },
  { kind: 'EventsNode', event: 'buy' },
]

const trendWith = (display: string, more: object = {}) => ({
  kind: 'TrendsQuery',
  series: SERIES.slice(0, 1),
  trendsFilter: { display },
  ...more,
})
const BY_COUNTRY = { breakdownFilter: { breakdown: '$geoip_country_code' } }

const draw = (query: object) => {
  const chart = { title: '', query, result: toSampleResult(query) }
  return { ...toPointedOption(chart, FRAME), view: toTextView(chart) }
}

it.each([
  ...Object.keys(TREND_DISPLAYS).map((display) => trendWith(display)),
  ...Object.keys(TREND_DISPLAYS).map((display) => trendWith(display, BY_COUNTRY)),
  ...Object.keys(SQL_DISPLAYS).map((display) => ({
    kind: 'DataVisualizationNode',
    display,
    source: { kind: 'HogQLQuery', query: 'select day, count() as total from events' },
  })),
  ...QUERY_KINDS.map(({ newQuery }) => newQuery),
  ...['steps', 'trends', 'time_to_convert'].map((funnelVizType) => ({
    kind: 'FunnelsQuery',
    series: SERIES,
    funnelsFilter: { funnelVizType },
  })),
])('a sample of %j has a chart', (query) => {
  const { summary } = draw(query)

  expect(EMPTY.map((text) => `${text}.`)).not.toContain(summary)
  expect(summary).not.toBe('')
})

describe('a sample', () => {
  it('is a map of countries, and a box plot of boxes', () => {
    const typeOf = (query: object) =>
      (draw(query).option.series as { type: string }[] | undefined)?.[0]?.type

    expect(typeOf(trendWith('WorldMap', BY_COUNTRY))).toBe('map')
    expect(typeOf(trendWith('BoxPlot'))).toBe('boxplot')
  })

  it('of a number has the change and the line that it is shown with', () => {
    const { view } = draw(trendWith('BoldNumber', { compareFilter: { compare: true } }))

    expect(view).toMatchObject({ form: 'number', headline: { change: { arrow: '↑' } } })
  })

  it('has the event that the user is to choose', () => {
    expect(toSampleResult({ kind: 'TrendsQuery', series: ['{EVENT}'] })).toMatchObject([
      { label: 'event' },
    ])
  })

  it('has the columns that SQL names', () => {
    const sql = 'select c.name as import, count(distinct a, b) as total, r.state\nfrom x'

    expect(toSampleRows(sql).columns).toEqual(['import', 'total', 'state'])
    expect(toSampleRows('not sql').columns).toEqual(['name', 'total'])
  })
})

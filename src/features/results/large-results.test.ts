import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app/app.ts'
import { watchStatements } from '../../../test/support/data/statements.ts'
import { addVisits, QUERY } from '../../../test/support/data/visits.ts'

const visit = { kind: 'EventsNode', event: 'visit' }
const series = (count: number) => Array.from({ length: count }, () => visit)
/** 2,160 hours. */
const hours = {
  interval: 'hour',
  dateRange: { date_from: '2026-01-01', date_to: '2026-03-31' },
}
const byCard = (limit: number, more: object = {}) => ({
  breakdownFilter: { breakdown: 'card', breakdown_limit: limit, ...more },
})
const compare = { compareFilter: { compare: true } }
const trends = (more: object) => ({ kind: 'TrendsQuery', series: series(1), ...hours, ...more })
const stickiness = (more: object) => ({ ...trends(more), kind: 'StickinessQuery' })
const columns = (count: number, text = '1') =>
  Array.from({ length: count }, (_, n) => `${text} as c${n}`).join()
const sql = (query: string) => ({ kind: 'HogQLQuery', query })
const behind = (source: object) => ({ kind: 'InsightActorsQuery', source, series: 0 })

const INTERVALS = 'Use a longer interval, a shorter date range'
const TOO_MANY = 'Too many intervals. Choose a shorter date range or a longer interval.'

describe('the largest query', () => {
  it.each<[string, object, string, string]>([
    [
      'a trend of many values',
      trends(byCard(500)),
      'query',
      `This query would have 1,082,160 values (501 lines x 2,160 hours). At most 125,000 values are allowed. ${INTERVALS} or fewer breakdown values.`,
    ],
    [
      'a trend of many values without the rest',
      trends(byCard(58, { breakdown_hide_other_aggregation: true })),
      'query',
      `This query would have 125,280 values (58 lines x 2,160 hours). At most 125,000 values are allowed. ${INTERVALS} or fewer breakdown values.`,
    ],
    [
      'a trend of many series that are compared',
      trends({ series: series(26), ...compare, ...byCard(1) }),
      'query',
      `This query would have 224,640 values (104 lines x 2,160 hours). At most 125,000 values are allowed. ${INTERVALS}, fewer breakdown values or fewer series.`,
    ],
    [
      'a trend of many formulas',
      trends({ series: series(2), ...byCard(3), trendsFilter: { formulas: Array(20).fill('A') } }),
      'query',
      `This query would have 190,080 values (88 lines x 2,160 hours). At most 125,000 values are allowed. ${INTERVALS}, fewer breakdown values, fewer series or fewer formulas.`,
    ],
    [
      'a node around a trend',
      { kind: 'InsightVizNode', source: trends(byCard(500)) },
      'query__source',
      '1,082,160 values',
    ],
    ['a trend of many intervals', trends({ interval: 'minute' }), 'query__dateRange', TOO_MANY],
    [
      'a comparison of many intervals',
      trends({ dateRange: { date_from: '2025-01-01', date_to: '2025-12-31' }, ...compare }),
      'query__dateRange',
      TOO_MANY,
    ],
    [
      'a funnel over time of many values',
      {
        ...trends(byCard(57)),
        kind: 'FunnelsQuery',
        series: series(2),
        funnelsFilter: { funnelVizType: 'trends' },
      },
      'query',
      '125,280 values (58 lines x 2,160 hours)',
    ],
    [
      'a funnel of many steps',
      { kind: 'FunnelsQuery', series: series(21) },
      'query__series',
      'no more than 20 items',
    ],
    [
      'a retention table of many intervals',
      { kind: 'RetentionQuery', retentionFilter: { totalIntervals: 101 } },
      'query__retentionFilter__totalIntervals',
      '100',
    ],
    [
      'a lifecycle of many intervals',
      { ...trends({ interval: 'minute' }), kind: 'LifecycleQuery' },
      'query__dateRange',
      TOO_MANY,
    ],
    [
      'stickiness of many series',
      stickiness({
        series: series(26),
        dateRange: { date_from: '2025-01-01', date_to: '2025-12-31' },
      }),
      'query',
      `This query would have 227,760 values (26 lines x 8,760 hours). At most 125,000 values are allowed. ${INTERVALS} or fewer series.`,
    ],
    [
      'paths of many links',
      { kind: 'PathsQuery', pathsFilter: { edgeLimit: 1001 } },
      'query__pathsFilter__edgeLimit',
      '1000',
    ],
    [
      'SQL of many columns',
      sql(`select ${columns(31)} from events limit 10000`),
      'query__query',
      'This query would have 310,000 values (10,000 rows x 31 columns). At most 300,000 values are allowed. Select fewer columns, or set a lower LIMIT.',
    ],
    [
      'the choices of a large trend',
      { kind: 'InsightActorsQueryOptions', source: behind(trends(byCard(500))) },
      'query__source__source',
      '1,082,160 values',
    ],
    ['many persons', { kind: 'ActorsQuery', limit: 1001 }, 'query__limit', '1000'],
    [
      'many events behind a number',
      { kind: 'EventsQuery', source: behind(trends({})), limit: 1001 },
      'query__limit',
      '1000',
    ],
  ])('for %s is refused before anything is read', async (_, query, attr, detail) => {
    const api = await useApp()
    await addVisits(api, 1)
    const statements = watchStatements(api)

    const response = await api.post(QUERY, { query })

    expect([response.status, response.body.attr]).toEqual([400, attr])
    expect(response.body.detail).toContain(detail)
    expect(statements.started()).toBe(0)
  })

  it('has as many values as its result can have', async () => {
    const api = await useApp()
    await addVisits(api, 2, { properties: { card: 'gold' } })
    const query = trends({ dateRange: { date_from: '-90d' }, ...byCard(55) })

    const { status, body } = await api.post(QUERY, { query })

    expect(status).toBe(200)
    expect(body.results).toHaveLength(1)
    const [{ data, labels, days, count }] = body.results
    expect([count, labels.length, days.length]).toEqual([2, data.length, data.length])
  })
})

describe('a large result', () => {
  /** Longer texts of events are truncated for queries. */
  const LONG = 'é'.repeat(1000)
  const ofTexts = (count: number) => sql(`select ${columns(count, 'properties.text')} from events`)

  it('is shown from the cache', { tags: 'sql' }, async () => {
    const api = await useApp()
    await addVisits(api, 100, { properties: { text: LONG } })
    const query = { kind: 'DataVisualizationNode', source: ofTexts(45) }
    const { body: insight } = await api.post('insights', { name: 'Long', query })
    await api.get(`insights/${insight.id}?refresh=blocking`)

    const { body } = await api.get(`insights/${insight.id}?refresh=force_cache`)

    const row = Array(45).fill(LONG)
    expect(isDeepStrictEqual(body.result, Array(100).fill(row))).toBe(true)
    const file = await api.get(`insights/${insight.id}/export.json`)
    expect(isDeepStrictEqual(file.body.result.results, body.result)).toBe(true)
    expect(file.body.result).toMatchObject({ hasMore: false })
  })

  it('is refused if its texts are too long', { tags: 'sql' }, async () => {
    const api = await useApp()
    await addVisits(api, 100, { properties: { text: LONG } })

    const { status, body } = await api.post(QUERY, { query: ofTexts(85) })

    expect([status, body.attr]).toEqual([400, 'query'])
    expect(body.detail).toContain('more than 8 million characters')
  })

  it('is refused if its texts are too long as JSON', { tags: 'sql' }, async () => {
    const api = await useApp()
    await addVisits(api, 100, { properties: { text: '\u0001'.repeat(1000) } }) // \\u0001 in JSON

    const [small, large] = [
      await api.post(QUERY, { query: ofTexts(10) }),
      await api.post(QUERY, { query: ofTexts(20) }),
    ]

    expect([small.status, small.body.results?.length]).toEqual([200, 100])
    expect([large.status, large.body.attr]).toEqual([400, 'query'])
    expect(large.body.detail).toContain('more than 8 million characters')
  })

  it('of events behind a number is refused if its rows are too large', {
    tags: 'sql',
  }, async () => {
    const api = await useApp()
    await addVisits(api, 250, { properties: { text: LONG } })
    const source = behind({ kind: 'TrendsQuery', series: series(1) })
    const select = (count: number) => ({
      kind: 'EventsQuery',
      limit: 1000,
      source,
      select: Array(count).fill('*'),
    })

    const small = await api.post(QUERY, { query: select(2) })
    const large = await api.post(QUERY, { query: select(100) })

    expect([small.status, small.body.results.length]).toEqual([200, 250])
    expect([large.status, large.body.attr]).toEqual([400, 'query'])
    expect(large.body.detail).toBe(
      'The rows are too large. Select fewer columns, or set a lower "limit".',
    )
  })
})

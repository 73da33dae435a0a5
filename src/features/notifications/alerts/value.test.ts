import { describe, expect, it } from 'vitest'
import { funnelSteps, trend } from '../../../../test/support/data/results.ts'
import { readAlertValue } from './value.ts'

const trends = (interval?: string) => ({
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', ...(interval && { interval }) },
})

const at = (computed_at: string, results: unknown, query: unknown = trends(), config = {}) =>
  readAlertValue({
    query,
    row: { results: JSON.stringify(results), computed_at },
    zone: 'Europe/Berlin',
    config,
  })

/** 1, 2 and 3 March. */
const days = [trend('a', [5, 7, 2])]
const hours = [{ ...trend('a', [5, 7]), days: ['2026-03-29 01:00:00', '2026-03-29 03:00:00'] }]

describe('the value of a trend', () => {
  it.each([
    ['is that of the last complete day', '2026-03-03T12:00:00.000Z', {}, 7, [5]],
    [
      'is that of today with check_ongoing_interval',
      '2026-03-03T12:00:00.000Z',
      { check_ongoing_interval: true },
      2,
      [5, 7],
    ],
    ['is the last one if its day is complete', '2026-03-04T12:00:00.000Z', {}, 2, [5, 7]],
    [
      'ignores a day until midnight in the time zone of the project',
      '2026-03-03T22:59:59.000Z',
      {},
      7,
      [5],
    ],
    [
      'includes a day from midnight in the time zone of the project',
      '2026-03-03T23:00:00.000Z',
      {},
      2,
      [5, 7],
    ],
  ])('%s', (_, computedAt, config, value, earlier) => {
    expect(at(computedAt, days, trends(), config)).toMatchObject({ value, earlier })
  })

  it('handles the hour that daylight saving time skips', () => {
    expect(at('2026-03-29T01:59:59.000Z', hours, trends('hour'))).toMatchObject({ value: 5 })
    expect(at('2026-03-29T02:00:00.000Z', hours, trends('hour'))).toMatchObject({ value: 7 })
  })

  it('is that of the chosen series, not of the previous period', () => {
    const previous = trend('a', [9, 9, 9], { compare_label: 'previous' })
    const results = [trend('a', [1, 1, 1]), previous, trend('b', [4, 6, 8])]

    expect(at('2026-04-01T00:00:00.000Z', results, trends(), { series_index: 1 })).toMatchObject({
      value: 8,
      earlier: [4, 6],
    })
  })

  it('is the aggregated value if there is one', () => {
    expect(at('2026-03-03T12:00:00.000Z', [trend('a', [], { aggregated_value: 12 })])).toEqual({
      value: 12,
      earlier: [],
    })
  })

  it.each([
    ['an unknown series', days, { series_index: 1 }, 'The insight has no series 1.'],
    [
      'no complete day',
      [{ ...trend('a', [5]), days: ['2026-03-03'] }],
      {},
      'The insight shows no complete interval.',
    ],
    ['no result', null, {}, 'The insight has no result that can be watched.'],
  ])('does not exist with %s', (_, results, config, problem) => {
    expect(at('2026-03-03T12:00:00.000Z', results, trends(), config)).toEqual({ problem })
  })
})

const ofCohort = (id: number | string, scale: number) =>
  funnelSteps(scale).map((step) => ({
    ...step,
    breakdown_value: id,
    breakdown_label: `Cohort ${id}`,
  }))

describe('the value', () => {
  const funnel = { kind: 'FunnelsQuery' }
  const table = { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery' } }

  it.each([
    ['of a funnel is its conversion rate', funnel, funnelSteps(), 941 / 12_840],
    [
      'of a funnel with a breakdown is the overall conversion rate',
      funnel,
      [funnelSteps(), funnelSteps()],
      1882 / 25_680,
    ],
    [
      'of a funnel by cohorts is that of all persons',
      funnel,
      [ofCohort(7, 1), ofCohort('all', 2)],
      1882 / 25_680,
    ],
    ['of a funnel that nobody entered is 0', funnel, funnelSteps(0), 0],
    [
      'of SQL is the first cell',
      table,
      [
        [3, 4],
        [5, 6],
      ],
      3,
    ],
    [
      'of SQL can be a large number',
      table,
      [['12345678901234567890']],
      Number('12345678901234567890'),
    ],
  ])('%s', (_, query, results, value) => {
    expect(at('2026-03-03T12:00:00.000Z', results, query)).toEqual({ value, earlier: [] })
  })

  const retained = (first: number, next: number, more: object = {}) => ({
    date: '2026-03-01',
    label: 'Week 0',
    values: [
      { count: first, label: 'Week 0' },
      { count: next, label: 'Week 1', ...more },
    ],
  })
  const alone = { date: '2026-03-08', label: 'Week 3', values: [{ count: 9, label: 'Week 0' }] }
  const cohorts = [
    retained(100, 50),
    retained(100, 40),
    retained(0, 0),
    retained(80, 2, { unfinished: true }),
    alone,
  ]

  it('of retention is the share of the last cohort that came back in a complete period', () => {
    const retention = { kind: 'RetentionQuery' }
    const value = (config = {}) => at('2026-03-03T12:00:00.000Z', cohorts, retention, config)

    expect(value()).toEqual({ value: 0.4, earlier: [0.5] })
    expect(value({ check_ongoing_interval: true })).toEqual({ value: 2 / 80, earlier: [0.5, 0.4] })
    expect(at('2026-03-03T12:00:00.000Z', [alone], retention)).toEqual({
      problem: 'No cohort has had time to come back.',
    })
  })

  it.each([
    ['of web figures', 'WebOverviewQuery', [{ value: 5 }, { value: 7.5 }], 7.5],
    [
      'of goals is the share of visitors',
      'WebGoalsQuery',
      [[], ['b', [2, 1], [4, 3], [0.5, 0]]],
      0.5,
    ],
    ['of a web table is the visitors', 'WebStatsTableQuery', [[], ['/b', [3, 9], [8, 9]]], 3],
    ['of paths is the persons', 'PathsQuery', [{ value: 9 }, { value: 4 }], 4],
  ])('%s of the chosen row', (_, kind, results, value) => {
    const config = { series_index: 1 }

    expect(at('2026-03-03T12:00:00.000Z', results, { kind }, config)).toMatchObject({ value })
  })

  it.each([
    ['WebOverviewQuery', [{ value: 5, previous: 4 }], [4]],
    ['WebOverviewQuery', [{ value: 5, previous: null }], []],
    ['WebGoalsQuery', [['b', [2, 1], [4, 3], [0.5, 0.25]]], [0.25]],
    ['WebGoalsQuery', [['b', [2, null], [4, null], [0.5, null]]], []],
    ['WebStatsTableQuery', [['/b', [3, 9], [8, 7]]], [9]],
    ['PathsQuery', [{ value: 4 }], []],
  ])('of a %s has that of the previous period before it: %j', (kind, results, earlier) => {
    expect(at('2026-03-03T12:00:00.000Z', results, { kind })).toMatchObject({ earlier })
  })

  it('of a lifecycle is the last complete interval of the chosen status', () => {
    const statuses = [trend('new', [5, 7, 2]), trend('dormant', [-1, -2, -3])]
    const config = { series_index: 1 }

    expect(
      at('2026-03-03T12:00:00.000Z', statuses, { kind: 'LifecycleQuery' }, config),
    ).toMatchObject({
      value: -2,
      earlier: [-1],
    })
  })

  it('of stickiness is the mean number of intervals', () => {
    const series = [{ label: 'visit', data: [6, 2, 0], days: [1, 2, 3] }]
    const query = { kind: 'StickinessQuery' }

    expect(at('2026-03-03T12:00:00.000Z', series, query)).toEqual({
      value: 10 / 8,
      earlier: [],
    })
    expect(at('2026-03-03T12:00:00.000Z', [{ ...series[0], data: [0] }], query)).toMatchObject({
      value: 0,
    })
    expect(at('2026-03-03T12:00:00.000Z', [], query)).toEqual({
      problem: 'The insight has no series 0.',
    })
  })

  it.each([
    ['no rows', table, []],
    ['no cell', table, [[]]],
    ['an empty cell', table, [[null]]],
    ['a text', table, [['many']]],
    ['an empty text', table, [['']]],
    ['a boolean', table, [[true]]],
    ['a funnel over time', funnel, [{ data: [1] }]],
    ['a funnel without steps', funnel, []],
    ['a funnel with an empty breakdown', funnel, [[]]],
    ['a funnel by cohorts that share persons', funnel, [ofCohort(7, 1), ofCohort(8, 1)]],
    ['another kind of query', { kind: 'MagicQuery' }, []],
    ['paths without a link', { kind: 'PathsQuery' }, []],
    ['a figure without visits', { kind: 'WebOverviewQuery' }, [{ key: 'visitors', value: null }]],
    ['a table without a number', { kind: 'WebStatsTableQuery' }, [['/a']]],
  ])('does not exist for %s', (_, query, results) => {
    expect(at('2026-03-03T12:00:00.000Z', results, query)).toHaveProperty('problem')
  })
})

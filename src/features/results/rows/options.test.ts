import { describe, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/support/app/app.ts'
import {
  dateRange,
  insight,
  startProject,
  trend,
  visit,
} from '../../../../test/support/data/visitors.ts'
import { QUERY } from '../../../../test/support/data/visits.ts'

const ask = (api: TestApp, source: unknown, more: object = {}) =>
  api.post(QUERY, { query: { kind: 'InsightActorsQueryOptions', source, ...more } })

const NONE = {
  day: null,
  status: null,
  interval: null,
  breakdown: null,
  breakdowns: null,
  series: null,
  compare: null,
}
const DAYS = [
  { label: '16-Mar-2026', value: '2026-03-16' },
  { label: '17-Mar-2026', value: '2026-03-17' },
]
const PAGES = [
  { label: 'a', value: 'a' },
  { label: 'Other', value: '$$_posthog_breakdown_other_$$' },
]
const COMPARE = [
  { label: 'Current', value: 'current' },
  { label: 'Previous', value: 'previous' },
]
const breakdownFilter = { breakdown: 'page', breakdown_limit: 1 }
const one = { trendsFilter: { display: 'BoldNumber' } }

describe('options for the persons behind a number', () => {
  it.each<[string, object, object]>([
    ['a trend', insight(trend()), { day: DAYS, series: [{ label: 'visit', value: 0 }] }],
    [
      'a trend with a breakdown and a previous period',
      insight(trend({ breakdownFilter, compareFilter: { compare: true } })),
      { day: DAYS, series: [{ label: 'visit', value: 0 }], breakdown: PAGES, compare: COMPARE },
    ],
    ['one number', insight(trend(one)), { series: [{ label: 'visit', value: 0 }] }],
    [
      'a lifecycle',
      insight({ kind: 'LifecycleQuery', series: [visit], dateRange }),
      {
        day: DAYS,
        status: ['New', 'Returning', 'Resurrecting', 'Dormant'].map((label) => ({
          label,
          value: label.toLowerCase(),
        })),
      },
    ],
    [
      'stickiness',
      insight({ kind: 'StickinessQuery', series: [visit], dateRange }),
      {
        day: [
          { label: '1 day', value: 1 },
          { label: '2 days', value: 2 },
        ],
        series: [{ label: 'visit', value: 0 }],
      },
    ],
    [
      'retention',
      insight({ kind: 'RetentionQuery', retentionFilter: { totalIntervals: 2 }, dateRange }),
      {
        interval: [
          { label: 'Day 0', value: 0 },
          { label: 'Day 1', value: 1 },
        ],
      },
    ],
    ['paths', insight({ kind: 'PathsQuery', dateRange }), {}],
    [
      'a funnel with a breakdown',
      {
        kind: 'FunnelsActorsQuery',
        source: { kind: 'FunnelsQuery', series: [visit, visit], dateRange, breakdownFilter },
      },
      { breakdown: PAGES },
    ],
  ])('are those of %s', async (_, source, expected) => {
    const api = await startProject()

    const { status, body } = await ask(api, source)

    expect(status).toBe(200)
    expect(body).toMatchObject({ results: [], ...NONE, ...expected, timezone: 'UTC' })
  })

  it('choose numbers: every day and value of a trend has a list as long as its number', async () => {
    const api = await startProject()
    const query = trend({ series: [{ ...visit, math: 'dau' }], breakdownFilter })
    const { body: result } = await api.post(QUERY, { query })
    const { body: options } = await ask(api, insight(query))

    for (const [at, { value: breakdown }] of options.breakdown.entries()) {
      for (const [index, { value: day }] of options.day.entries()) {
        const source = insight(query, { series: 0, day, breakdown })
        const { body } = await api.post(QUERY, { query: { kind: 'ActorsQuery', source } })
        expect(body.results).toHaveLength(result.results[at].data[index])
      }
    }
  })

  it.each<[string, unknown, object]>([
    ['query__source', undefined, {}],
    ['query__source', 'trend', {}],
    ['query__source__kind', trend(), {}],
    ['query__source__source__series', insight({ kind: 'TrendsQuery' }), {}],
    ['query__source__status', insight(trend(), { status: 'new' }), {}],
    [
      'query__source__source__breakdownFilter__breakdown',
      insight(trend({ breakdownFilter: { breakdown_type: 'cohort', breakdown: [999_999] } })),
      {},
    ],
    ['query__limit', insight(trend()), { limit: 3 }],
  ])('are refused with an error that names %s', async (attr, source, more) => {
    const api = await startProject()

    const { status, body } = await ask(api, source, more)

    expect([status, body.attr]).toEqual([400, attr])
  })
})

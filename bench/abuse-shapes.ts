import type { Target } from './abuse-load.ts'
import { BENCH_KEY } from './seed.ts'

const HEADERS = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' }
const EVENTS = 60_000
const BATCH = 5000
const HOURS = 2100
const VALUES = 600

const node = { kind: 'EventsNode', event: 'shape' }
const nodes = (count: number) => Array.from({ length: count }, () => node)
/** 26 series that cannot share a statement. */
const NODES = nodes(26).map((each, index) => ({
  ...each,
  properties: [{ key: 'card', value: `c${index}` }],
}))
const hours = { interval: 'hour', dateRange: { date_from: '-90d' } }
/** Nearly the 10,000 intervals that a query can have. */
const allIntervals = { interval: 'hour', dateRange: { date_from: '-415d' } }
const days = { interval: 'day', dateRange: { date_from: '-9998d' } }
const compare = { compareFilter: { compare: true } }
const byCard = (limit: number) => ({
  breakdownFilter: { breakdown: 'card', breakdown_type: 'event', breakdown_limit: limit },
})
const trends = (more: object) => ({ kind: 'TrendsQuery', series: nodes(1), ...hours, ...more })
const funnels = (more: object) => ({ kind: 'FunnelsQuery', series: nodes(2), ...hours, ...more })
const stickiness = (more: object) => ({ kind: 'StickinessQuery', ...hours, ...more })
const list = (count: number, toItem: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => toItem(index))
const sql = (columns: readonly string[], limit: number) => ({
  kind: 'HogQLQuery',
  query: `select ${columns.map((each, index) => `${each} as c${index}`).join()} from events limit ${limit}`,
})
const behind = (source: object) => ({ kind: 'InsightActorsQuery', source, series: 0 })
const profileColumns = list(99, (index) => `person.properties.p${index}`)

/** The largest queries of each kind: allowed ones, and some that are refused for their size. */
export const LARGEST: Readonly<Record<string, object>> = {
  'trends, 25 values by hour': trends(byCard(25)),
  'trends, 56 values by hour': trends(byCard(56)),
  'trends, 500 values by hour': trends(byCard(500)),
  'trends, compared by hour': trends({ ...compare, ...byCard(25) }),
  'trends, all intervals': trends({ series: nodes(12), ...allIntervals }),
  'trends, all days': trends(days),
  'trends, everything': trends({
    series: nodes(26),
    ...compare,
    ...byCard(500),
    trendsFilter: { formulas: Array(20).fill('A + B'), smoothingIntervals: 100 },
  }),
  'trends, all series': trends({ series: NODES, ...compare, interval: 'day', ...byCard(10) }),
  'trends, formulas and smoothing': trends({
    series: nodes(2),
    ...byCard(10),
    trendsFilter: {
      formulas: ['A / B', `A${' + (A - B) * 2'.repeat(28)}`],
      smoothingIntervals: 100,
    },
  }),
  'trends, active people by hour': trends({
    series: [{ ...node, math: 'monthly_active' }],
    ...byCard(25),
  }),
  'trends, active people by minute': trends({
    series: [{ ...node, math: 'monthly_active' }],
    interval: 'minute',
    dateRange: { date_from: '-1d' },
    ...byCard(25),
  }),
  'trends, active people by day': trends({
    series: Array(12).fill({ ...node, math: 'weekly_active' }),
    ...days,
  }),
  'trends, cumulative': trends({
    series: [{ ...node, math: 'dau' }],
    ...byCard(25),
    trendsFilter: { display: 'ActionsLineGraphCumulative' },
  }),
  'trends, totals of 500 values': trends({
    series: nodes(5),
    ...byCard(500),
    trendsFilter: { display: 'ActionsTable' },
  }),
  'funnels, 500 values': funnels({ series: nodes(5), ...byCard(500) }),
  'funnels over time, 56 values': funnels({
    ...byCard(56),
    funnelsFilter: { funnelVizType: 'trends' },
  }),
  'funnels over time, 500 values': funnels({
    ...byCard(500),
    funnelsFilter: { funnelVizType: 'trends' },
  }),
  'funnels, times': funnels({ funnelsFilter: { funnelVizType: 'time_to_convert', binCount: 90 } }),
  retention: {
    kind: 'RetentionQuery',
    retentionFilter: {
      period: 'Hour',
      totalIntervals: 100,
      targetEntity: { id: 'shape' },
      returningEntity: { id: 'shape' },
    },
  },
  'lifecycle, all intervals': { kind: 'LifecycleQuery', series: nodes(1), ...allIntervals },
  'lifecycle, all days': { kind: 'LifecycleQuery', series: nodes(1), ...days },
  'stickiness, all intervals': stickiness({ series: nodes(12), ...allIntervals }),
  'stickiness, everything': stickiness({ series: nodes(26), ...allIntervals }),
  'stickiness, compared': stickiness({ series: nodes(26), ...compare }),
  paths: {
    kind: 'PathsQuery',
    dateRange: { date_from: '-90d' },
    pathsFilter: { includeEventTypes: ['custom_event'], stepLimit: 20, edgeLimit: 1000 },
  },
  'SQL, 300,000 cells': sql(
    list(30, (index) => (index % 2 ? 'properties.card' : `toUnixTimestamp(timestamp) + ${index}`)),
    10_000,
  ),
  'SQL, 310,000 cells': sql(Array(31).fill('1'), 10_000),
  'SQL, 7 MB of text': sql(Array(60).fill('properties.text'), 1000),
  'SQL, 30 MB of text': sql(Array(30).fill('properties.text'), 10_000),
  'persons, 100 columns': {
    kind: 'ActorsQuery',
    select: ['actor', ...profileColumns],
    limit: 1000,
  },
  'persons behind a number': {
    kind: 'ActorsQuery',
    source: behind(trends(allIntervals)),
    select: ['actor', ...profileColumns],
    limit: 1000,
  },
  'events behind a number': {
    kind: 'EventsQuery',
    source: behind(trends({})),
    select: ['*', ...profileColumns],
    limit: 1000,
  },
  'choices of a number': {
    kind: 'InsightActorsQueryOptions',
    source: behind(trends(byCard(56))),
  },
}

/** Captures events with many values, times and persons. */
export async function captureShapes({ url, token }: Target): Promise<void> {
  const text = 'x'.repeat(100)
  const profile = Object.fromEntries(list(60, (index) => `p${index}`).map((key) => [key, text]))
  for (let from = 0; from < EVENTS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, at) => {
      const index = from + at
      return {
        event: 'shape',
        distinct_id: `user-${index % 4000}`,
        timestamp: new Date(Date.now() - ((index * 7) % HOURS) * 3_600_000 - index).toISOString(),
        properties: { card: `c${index % VALUES}`, text, ...(index < 1000 && { $set: profile }) },
      }
    })
    const body = JSON.stringify({ api_key: token, batch })
    const response = await fetch(`${url}/batch`, { method: 'POST', body })
    await response.arrayBuffer()
  }
}

/** Computes a query, and returns the status and the length of the response. */
export async function runShape({ url }: Pick<Target, 'url'>, query: object) {
  const response = await fetch(`${url}/api/projects/1/query`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ query, refresh: 'force_blocking' }),
  })
  return { status: response.status, text: await response.text() }
}

/** Runs the largest query of each kind, one after the other. */
export async function runLargestQueries(target: Target): Promise<void> {
  for (const [name, query] of Object.entries(LARGEST)) {
    const { status, text } = await runShape(target, query)
    const isExpected = status === 200 || status === 400 || status === 503 // the last for a timeout
    if (!isExpected) throw new Error(`${name} got ${status}: ${text}`)
  }
}

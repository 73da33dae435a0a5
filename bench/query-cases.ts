import { NO_COHORTS } from '#server/analytics/queries/cohort-definitions.ts'
import { compileFunnelsQuery } from '#server/analytics/queries/funnels/compile.ts'
import { compileLifecycleQuery } from '#server/analytics/queries/lifecycle/compile.ts'
import { compilePathsQuery } from '#server/analytics/queries/paths/compile.ts'
import type { Context, Plan } from '#server/analytics/queries/plan.ts'
import { compileRetentionQuery } from '#server/analytics/queries/retention/compile.ts'
import { compileStickinessQuery } from '#server/analytics/queries/stickiness/compile.ts'
import { compileTrendsQuery } from '#server/analytics/queries/trends/compile.ts'
import { compileWebOverviewQuery } from '#server/analytics/queries/web-overview/compile.ts'
import { compileWebStatsTableQuery } from '#server/analytics/queries/web-stats-table/compile.ts'
import { END, MATERIALIZED } from './query-data.ts'

const NOW = Temporal.Instant.from(END).subtract({ seconds: 1 })

/** Berlin, where the clocks change in this period. */
const context: Context = {
  zone: 'Europe/Berlin',
  now: NOW,
  weekStart: 1,
  testAccountFilters: [],
  cohorts: NO_COHORTS,
  attr: 'query',
}

export interface QueryCase {
  readonly name: string
  readonly plan: Plan
  /** The same result with the best SQL we could write by hand. */
  readonly byHand: string
}

const column = (key: (typeof MATERIALIZED)[number]): string => `p${MATERIALIZED.indexOf(key)}`
const epoch = '(epoch_ms(timestamp) // 1000)'
const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000)
const between = (from: string, to: string): string =>
  `project_id = 1 and timestamp >= timestamptz '${from}' and timestamp < timestamptz '${to}'`

const CHANGE = seconds('2026-03-29T01:00:00Z')
const offset = `case when ${epoch} < ${CHANGE} then 3600 else 7200 end`
const buckets = (from: string, length: number): string =>
  `((${epoch} + ${offset} - ${seconds(from) + 3600}) // ${length})`

const MONTH = between('2026-03-01T23:00:00Z', '2026-03-31T22:00:00Z')
const day = buckets('2026-03-01T23:00:00Z', 86_400)
const inMonth = { date_from: '2026-03-02', date_to: '2026-03-31' }
const WEEKS = 11
const FIRST_WEEK = '2026-01-18T23:00:00Z'
const week = buckets(FIRST_WEEK, 604_800)
const weeks = `(select unnest(range(${WEEKS})) as b)`
const pageviews = [{ event: '$pageview' }]

const trends = (more: object): Plan =>
  compileTrendsQuery({ kind: 'TrendsQuery', dateRange: inMonth, ...more } as never, context)

const browser = `coalesce(nullif(${column('$browser')}, ''), '')`

/** Finds each step's nearest earlier entry with one ASOF join per step. */
const STEPS = ['$pageview', 'event 3', 'event 9'] as const
const [one, two, three] = STEPS
const WINDOW_MS = 14 * 86_400_000
const funnelByHand = `with matched as materialized (
    select person, epoch_ms(timestamp) as ms, event from facts
    where ${MONTH} and event in ('${one}', '${two}', '${three}')
  ), c1 as (select person, ms, ms as t1 from matched where event = '${one}'),
  c2 as (
    select b.person, b.ms, a.t1, b.ms as t2 from (from matched where event = '${two}') b
    asof join c1 a on a.person = b.person and b.ms >= a.ms where b.ms - a.t1 <= ${WINDOW_MS}
  ), c3 as (
    select b.person, b.ms, a.t1, a.t2, b.ms as t3 from (from matched where event = '${three}') b
    asof join c2 a on a.person = b.person and b.ms >= a.ms where b.ms - a.t1 <= ${WINDOW_MS}
  ), l1 as (select person, min(t1) as t1 from c1 group by person),
  l2 as (select person, min(t1) as t1, min(t2) as t2 from c2 group by person),
  l3 as (select person, min(t1) as t1, min(t2) as t2, min(t3) as t3 from c3 group by person),
  reached as (
    select coalesce(l3.t1, l2.t1, l1.t1) as t1, coalesce(l3.t2, l2.t2) as t2, l3.t3 as t3
    from l1 left join l2 using (person) left join l3 using (person)
  )
  select count(t1), count(t2), count(t3), avg(t2 - t1), avg(t3 - t2),
    percentile_cont(0.5) within group (order by t2 - t1),
    percentile_cont(0.5) within group (order by t3 - t2) from reached`

/** Sorts once by person and time, with numbers instead of names. */
const pathsByHand = `with base as materialized (
    select person, epoch_ms(timestamp) as ms, uuid,
      case when event = '$pageview' then coalesce(${column('$pathname')}, event) else event end as name
    from facts where ${MONTH}
  ), compared as (
    select person, ms, uuid, name, lag(ms) over w as before, lag(name) over w as name_before
    from base window w as (partition by person order by ms, uuid)
  ), kept as (
    select person, ms, uuid, name, before is null or ms - before >= 1800000 as is_first from compared
    where before is null or ms - before >= 1800000 or name <> name_before
  ), placed as (
    select lag(name) over w as source, name as target, ms - lag(ms) over w as duration,
      case when is_first then 1 when lag(is_first, 1) over w then 2 when lag(is_first, 2) over w then 3
        when lag(is_first, 3) over w then 4 when lag(is_first, 4) over w then 5 end as place
    from kept window w as (partition by person order by ms, uuid)
  )
  select (place - 1) || '_' || source as source, place || '_' || target as target, count(*) as value,
    avg(duration) as duration
  from placed where place >= 2 group by place, placed.source, placed.target order by value desc, 1, 2 limit 50`

/** Encodes the weeks in which a person was active as bits. */
const activeWeeks = (from: string, extra = ''): string =>
  `select min(timestamp) as first, bit_or(case when timestamp >= timestamptz '${from}' then 1::bigint << ${week} end) as active
   from facts where project_id = 1 and timestamp < timestamptz '${END}' and event = '$pageview' ${extra} group by person`

export const QUERY_CASES: readonly QueryCase[] = [
  {
    name: 'trend: people by day',
    plan: trends({ series: [{ event: '$pageview', math: 'dau' }] }),
    byHand: `select b, count(*) from (select distinct ${day} as b, person from facts where ${MONTH} and event = '$pageview') group by b`,
  },
  {
    name: 'trend: by browser and day',
    plan: trends({ series: pageviews, breakdownFilter: { breakdown: '$browser' } }),
    byHand: `with cells as materialized (
        select ${browser} as v, ${day} as b, count(*) as n from facts where ${MONTH} and event = '$pageview' group by all
      ), top as (
        select v, row_number() over (order by sum(n) desc, v) as place from cells group by v order by place limit 25
      ) select b, place, min(top.v), sum(n) from cells left join top on top.v = cells.v group by 1, 2`,
  },
  {
    name: 'trend: sum of a property',
    plan: trends({ series: [{ event: 'event 3', math: 'sum', math_property: 'amount' }] }),
    byHand: `select ${day}, sum(try_cast(${column('amount')} as double)) from facts where ${MONTH} and event = 'event 3' group by 1`,
  },
  {
    name: 'funnel of 3 steps',
    plan: compileFunnelsQuery(
      {
        kind: 'FunnelsQuery',
        series: STEPS.map((event) => ({ event })),
        dateRange: inMonth,
      } as never,
      context,
    ),
    byHand: funnelByHand,
  },
  {
    name: 'retention by week',
    plan: compileRetentionQuery(
      {
        kind: 'RetentionQuery',
        retentionFilter: {
          period: 'Week',
          totalIntervals: WEEKS,
          targetEntity: { id: '$pageview' },
          returningEntity: { id: '$pageview' },
        },
      } as never,
      context,
    ),
    byHand: `with people as (
        select bit_or(1::bigint << ${week}) as active from facts
        where ${between(FIRST_WEEK, END)} and event = '$pageview' group by person
      ), alike as (select active, count(*) as n from people group by 1)
      select i.b, j.b, sum(n) from alike cross join ${weeks} i cross join ${weeks} j
      where j.b >= i.b and (active >> i.b) & 1 = 1 and (active >> j.b) & 1 = 1 group by 1, 2`,
  },
  {
    name: 'lifecycle by week',
    plan: compileLifecycleQuery(
      {
        kind: 'LifecycleQuery',
        series: pageviews,
        interval: 'week',
        dateRange: { date_from: '2026-02-23', date_to: '2026-03-31' },
      } as never,
      context,
    ),
    byHand: `with people as (${activeWeeks(FIRST_WEEK)}), alike as (
        select case when first >= timestamptz '${FIRST_WEEK}' then ((epoch_ms(first) // 1000 + 3600 - ${seconds(FIRST_WEEK) + 3600}) // 604800) else -1 end as first, active, count(*) as n
        from people group by 1, 2
      ) select b, sum(n) filter ((active >> b) & 1 = 1 and first = b),
        sum(n) filter ((active >> b) & 1 = 1 and (active >> (b - 1)) & 1 = 1),
        sum(n) filter ((active >> b) & 1 = 1 and (active >> (b - 1)) & 1 = 0 and first <> b),
        sum(n) filter ((active >> b) & 1 = 0 and (active >> (b - 1)) & 1 = 1)
      from alike cross join ${weeks} where b > 4 group by 1`,
  },
  {
    name: 'stickiness over 30 days',
    plan: compileStickinessQuery(
      { kind: 'StickinessQuery', series: pageviews, dateRange: inMonth } as never,
      context,
    ),
    byHand: `select n, count(*) from (
        select bit_count(bit_or(1::bigint << ${day})) as n from facts where ${MONTH} and event = '$pageview' group by person
      ) group by 1`,
  },
  {
    name: 'paths',
    plan: compilePathsQuery({ kind: 'PathsQuery', dateRange: inMonth } as never, context),
    byHand: pathsByHand,
  },
]

/** The queries of the page *Web*. */
export const WEB_CASES: readonly Omit<QueryCase, 'byHand'>[] = [
  {
    name: 'web: figures',
    plan: compileWebOverviewQuery(
      { kind: 'WebOverviewQuery', dateRange: inMonth } as never,
      context,
    ),
  },
  ...(['Page', 'InitialPage', 'Browser'] as const).map((breakdownBy) => ({
    name: `web: visitors by ${breakdownBy}`,
    plan: compileWebStatsTableQuery(
      { kind: 'WebStatsTableQuery', breakdownBy, dateRange: inMonth } as never,
      context,
    ),
  })),
]

/** Measures growth: the last seven days of all data. */
export const SEVEN_DAYS: Plan = compileTrendsQuery(
  { kind: 'TrendsQuery', series: [{ event: null }], dateRange: { date_from: '-7d' } } as never,
  context,
)

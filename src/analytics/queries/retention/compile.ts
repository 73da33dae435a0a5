import type { Entity, Period, RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import type { RetentionCohort } from '#model/query-results.ts'
import type { Row } from '#server/analytics/event-table.ts'
import type { Range } from '../dates.ts'
import { keysOf } from '../filters.ts'
import { type Context, type Plan, sharedKeys, toNumber } from '../plan.ts'
import { toStatement } from './count-people.ts'
import { toPeriods } from './periods.ts'

/** As upstream, when a query does not say who is counted. */
const USUAL: Entity = { id: '$pageview' }

export function compileRetentionQuery(
  query: RetentionQuery,
  context: Context,
): Plan<readonly RetentionCohort[]> {
  const filter = query.retentionFilter ?? {}
  const period = filter.period ?? 'Day'
  const target = filter.targetEntity ?? USUAL
  const returning = filter.returningEntity ?? USUAL
  const range = toPeriods(
    period,
    filter.totalIntervals ?? 8,
    query.dateRange,
    context,
    `${context.attr}__dateRange`,
  )
  const retention = {
    query,
    range,
    target,
    returning,
    isFirstTime: filter.retentionType === 'retention_first_time',
    isCumulative: filter.cumulative === true,
  }
  return {
    properties: [
      ...keysOf(target.properties),
      ...keysOf(returning.properties),
      ...sharedKeys(query, context),
    ],
    statements: [(table) => toStatement(table, retention, context)],
    toResult: ([rows = []]) => toCohorts(rows, range, period),
  }
}

function toCohorts(rows: readonly Row[], { buckets }: Range, period: Period): RetentionCohort[] {
  const people = new Map(rows.map((row) => [`${row.cohort} ${row.period}`, row.people]))
  return buckets.map((start, cohort) => ({
    date: toIso(start),
    label: `${period} ${cohort}`,
    values: buckets.slice(cohort).map((_, later) => ({
      count: toNumber(people.get(`${cohort} ${cohort + later}`)),
      label: `${period} ${later}`,
    })),
  }))
}

const toIso = (moment: Temporal.ZonedDateTime): string =>
  moment.toString({ timeZoneName: 'never' }).replace(/\+00:00$/, 'Z')

import type { Entity, Period, RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import type { RetentionCohort } from '#model/query-results.ts'
import type { Row } from '#server/analytics/event-table.ts'
import type { Range } from '../dates.ts'
import { propertiesIn } from '../filters.ts'
import { type Context, commonProperties, type Plan, toNumber } from '../plan.ts'
import { countPeople } from './count-people.ts'
import { resolvePeriods } from './periods.ts'

/** As upstream, when a query does not say who is counted. */
const DEFAULT_ENTITY: Entity = { id: '$pageview' }

export function compileRetentionQuery(
  query: RetentionQuery,
  context: Context,
): Plan<readonly RetentionCohort[]> {
  const filter = query.retentionFilter ?? {}
  const period = filter.period ?? 'Day'
  const target = filter.targetEntity ?? DEFAULT_ENTITY
  const returning = filter.returningEntity ?? DEFAULT_ENTITY
  const range = resolvePeriods(
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
      ...propertiesIn(target.properties),
      ...propertiesIn(returning.properties),
      ...commonProperties(query, context),
    ],
    statements: [(table) => countPeople(table, retention, context)],
    toResult: ([rows = []]) => shapeCohorts(rows, range, period),
  }
}

function shapeCohorts(rows: readonly Row[], { buckets }: Range, period: Period): RetentionCohort[] {
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

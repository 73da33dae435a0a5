import type { Period, ResolvedEntity, RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import type { RetentionCohort } from '#model/query-results.ts'
import type { RequiredColumns, StatementRow } from '#server/analytics/event-table.ts'
import { type ColumnRef, toRequired } from '../columns.ts'
import { countedColumns } from '../counted.ts'
import { endsInCurrentInterval, type TimeRange, toLastIntervals, toStart } from '../dates.ts'
import { nodeColumns } from '../filters.ts'
import { type Calendar, parseDate } from '../parse-date.ts'
import { type Context, commonColumns, type Plan, toNumber } from '../plan.ts'
import { countReturningPersons, type Retention } from './count-persons.ts'

/** Upstream's default. */
const DEFAULT_ENTITY: ResolvedEntity = { id: '$pageview' }

/** Counts persons who came back: parse, resolve dates, count persons, shape cohorts. */
export function compileRetentionQuery(
  query: RetentionQuery,
  context: Context,
): Plan<readonly RetentionCohort[]> {
  const retention = parseRetention(query, context)
  return {
    ...requireRetention(retention, context),
    statements: [(table) => countReturningPersons(table, retention, context)],
    toResult: async ([rows = []]) => {
      const isUnfinished = endsInCurrentInterval(retention.range, context)
      return shapeCohorts(rows, { ...retention.range, isUnfinished }, periodOf(query))
    },
  }
}

export function parseRetention(query: RetentionQuery, context: Context): Retention {
  const { targetEntity, returningEntity, retentionType, cumulative } = query.retentionFilter ?? {}
  return {
    query,
    range: resolvePeriods(query, context),
    target: (targetEntity ?? DEFAULT_ENTITY) as ResolvedEntity,
    returning: (returningEntity ?? DEFAULT_ENTITY) as ResolvedEntity,
    isFirstTime: retentionType === 'retention_first_time',
    isCumulative: cumulative === true,
  }
}

const periodOf = ({ retentionFilter }: RetentionQuery): Period => retentionFilter?.period ?? 'Day'

const INTERVALS = { Hour: 'hour', Day: 'day', Week: 'week', Month: 'month' } as const

/**
 * Counts periods back from the one that contains the end of the range. The start of the range is only validated, because
 * templates ask for eleven weeks of the last seven days and mean eleven weeks.
 */
function resolvePeriods(query: RetentionQuery, context: Context): TimeRange {
  const { date_from, date_to } = query.dateRange ?? {}
  const attr = `${context.attr}__dateRange`
  if (date_from) toStart(date_from, context, `${attr}__date_from`)
  const end = toEnd(date_to, context, `${attr}__date_to`)
  const count = query.retentionFilter?.totalIntervals ?? 8
  return toLastIntervals(count, end, INTERVALS[periodOf(query)], context)
}

function toEnd(dateTo: string | null | undefined, calendar: Calendar, attr: string) {
  if (!dateTo) return calendar.now.toZonedDateTimeISO(calendar.zone)
  const { at, wholeDay } = parseDate(dateTo, calendar, attr)
  if (!wholeDay) return at
  return at.toPlainDate().add({ days: 1 }).toZonedDateTime(at.timeZoneId).subtract({ seconds: 1 })
}

/** Lists what statements over the cohorts read. Whether a person came for the first time depends on all events before. */
export const requireRetention = (retention: Retention, context: Context): RequiredColumns =>
  toRequired(listColumns(retention, context), retention.isFirstTime ? undefined : retention.range)

const listColumns = ({ query, target, returning }: Retention, context: Context): ColumnRef[] => [
  ...nodeColumns(target),
  ...nodeColumns(returning),
  ...countedColumns(query.aggregation_group_type_index),
  ...commonColumns(query, context),
]

function shapeCohorts(
  rows: readonly StatementRow[],
  { buckets, isUnfinished }: TimeRange & { readonly isUnfinished: boolean },
  period: Period,
): RetentionCohort[] {
  const persons = new Map(rows.map((row) => [`${row.cohort} ${row.period}`, row.persons]))
  return buckets.map((start, cohort) => ({
    date: toIso(start),
    label: `${period} ${cohort}`,
    values: buckets.slice(cohort).map((_, later) => ({
      count: toNumber(persons.get(`${cohort} ${cohort + later}`)),
      label: `${period} ${later}`,
      ...(isUnfinished && cohort + later === buckets.length - 1 && { unfinished: true as const }),
    })),
  }))
}

const toIso = (moment: Temporal.ZonedDateTime): string =>
  moment.toString({ timeZoneName: 'never' }).replace(/\+00:00$/, 'Z')

import { sql } from 'kysely'
import type { SqlFilters } from '#model/query-kinds/sql.schema.ts'
import { toBounds } from '../dates.ts'
import { and } from '../filters.ts'
import { type Context, commonColumns, matchesCommonFilters } from '../plan.ts'
import type { EventFilters } from './scope.ts'

type Dates = ReturnType<typeof toBounds>

export const NO_FILTERS: EventFilters = { columns: [], matches: () => sql`true` }

export const resolveDates = (filters: SqlFilters | null | undefined, context: Context): Dates =>
  toBounds(filters?.dateRange, context, `${context.attr}__filters__dateRange`)

/** Compiles `{filters}`: the dates, properties and test accounts that a query, or its dashboard, filters by. */
export function compileFilters(
  filters: SqlFilters | null | undefined,
  { from, to }: Dates,
  context: Context,
): EventFilters {
  if (!filters) return NO_FILTERS
  const toText = (moment: Temporal.ZonedDateTime) => moment.toInstant().toString()
  return {
    columns: commonColumns(filters, context),
    matches: (table) =>
      and([
        ...(from ? [sql`e.timestamp >= ${toText(from)}::timestamptz`] : []),
        ...(to ? [sql`e.timestamp < ${toText(to)}::timestamptz`] : []),
        matchesCommonFilters(table, filters, { ...context, attr: `${context.attr}__filters` }),
      ]),
  }
}

import { sql } from 'kysely'
import type { CommonFields } from '#model/query-kinds/common.schema.ts'
import type { EventTable, RequiredColumns, Sql } from '#server/analytics/event-table.ts'
import { eventProperty, toRequired } from '../columns.ts'
import { isInRange, type TimeRange } from '../dates.ts'
import { spanOf } from '../periods.ts'
import { type Context, commonColumns, matchesCommonFilters } from '../plan.ts'

const PATH = '$pathname'

/** Lists what a selection of page views reads. */
export const requirePages = (
  query: CommonFields,
  periods: readonly TimeRange[],
  context: Context,
): RequiredColumns =>
  toRequired([eventProperty(PATH), ...commonColumns(query, context)], spanOf(periods))

/** Selects each page (`value`) that a visitor viewed in a range, and how often (`hits`). */
export const selectPages = (
  table: EventTable,
  query: CommonFields,
  range: TimeRange,
  context: Context,
): Sql => sql`select value, visitor, count(*) as hits from (
    select nullif(${table.property(PATH)}, '') as value, e.person as visitor from ${table.rows} e
    where e.event in ('$pageview', '$screen') and ${isInRange(range)} and ${matchesCommonFilters(table, query, context)}
  ) views group by value, visitor`

import { sql } from 'kysely'
import type { BreakdownValue } from '#model/actors.schema.ts'
import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { EventTable, Sql } from '../event-table.ts'
import { type ColumnRef, toTextColumn } from './columns.ts'

/** Upstream's markers, which clients know. */
export const OTHER = '$$_posthog_breakdown_other_$$'
export const NONE = '$$_posthog_breakdown_null_$$'

const DEFAULT_LIMIT = 25
/** Separates the values of several properties. */
const BETWEEN = '::'

export interface Breakdown {
  readonly by: readonly (ColumnRef & { readonly attr: string })[]
  readonly limit: number
  readonly hidesOther: boolean
}

/** `attr` names the filter in error messages. */
export function parseBreakdown(
  filter: BreakdownFilter | null | undefined,
  attr: string,
): Breakdown | undefined {
  const by = filter?.breakdowns?.length
    ? filter.breakdowns.map(({ property, type, group_type_index }, index) => ({
        key: property,
        type,
        groupIndex: group_type_index,
        attr: `${attr}__breakdowns__${index}__property`,
      }))
    : [filter?.breakdown ?? []].flat().map((key) => ({
        key,
        type: filter?.breakdown_type,
        groupIndex: filter?.breakdown_group_type_index,
        attr: `${attr}__breakdown`,
      }))
  if (by.length === 0) return undefined
  return {
    by,
    limit: filter?.breakdown_limit ?? DEFAULT_LIMIT,
    hidesOther: filter?.breakdown_hide_other_aggregation ?? false,
  }
}

/** Selects an event's value, never null. An empty text counts as missing. */
export const toBreakdownValue = (table: EventTable, { by }: Breakdown): Sql =>
  sql.join(
    by.map(
      (column) =>
        sql`coalesce(nullif(${toTextColumn(table, column, column.attr)}, ''), ${sql.lit(NONE)})`,
    ),
    sql` || ${sql.lit(BETWEEN)} || `,
  )

/** Converts a value from a result to text; several properties may be a list or their joined text. */
export const toBreakdownText = (value: BreakdownValue): string =>
  sanitizeText([value].flat().map(String).join(BETWEEN))

export const toValueLabel = (value: string): string =>
  value === OTHER
    ? 'Other (all remaining values)'
    : value.split(BETWEEN).map(toPartLabel).join(BETWEEN)

const toPartLabel = (part: string): string => (part === NONE ? 'None (no value)' : part)

import { sql } from 'kysely'
import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import type { EventTable, Sql } from '../event-table.ts'
import { isMetadata, toTextColumn } from './filters.ts'

/** Upstream's markers, which clients know. */
export const OTHER = '$$_posthog_breakdown_other_$$'
export const NONE = '$$_posthog_breakdown_null_$$'

const DEFAULT_LIMIT = 25
/** Between the values of several properties. */
const BETWEEN = '::'

export interface Breakdown {
  readonly by: readonly { readonly key: string; readonly type: string | null | undefined }[]
  readonly limit: number
  readonly hidesOther: boolean
}

export function parseBreakdown(filter: BreakdownFilter | null | undefined): Breakdown | undefined {
  const by = filter?.breakdowns?.length
    ? filter.breakdowns.map(({ property, type }) => ({ key: property, type }))
    : [filter?.breakdown ?? []].flat().map((key) => ({ key, type: filter?.breakdown_type }))
  if (by.length === 0) return undefined
  return {
    by,
    limit: filter?.breakdown_limit ?? DEFAULT_LIMIT,
    hidesOther: filter?.breakdown_hide_other_aggregation ?? false,
  }
}

/** An event's value, never null. An empty text counts as none. */
export const toBreakdownValue = (table: EventTable, { by }: Breakdown): Sql =>
  sql.join(
    by.map(
      ({ key, type }) =>
        sql`coalesce(nullif(${toTextColumn(table, key, type)}, ''), ${sql.lit(NONE)})`,
    ),
    sql` || ${sql.lit(BETWEEN)} || `,
  )

export const breakdownProperties = (breakdown: Breakdown | undefined): string[] =>
  (breakdown?.by ?? []).filter(({ key, type }) => !isMetadata(type, key)).map(({ key }) => key)

export const toValueLabel = (value: string): string =>
  value === OTHER
    ? 'Other (all remaining values)'
    : value.split(BETWEEN).map(toPartLabel).join(BETWEEN)

const toPartLabel = (part: string): string => (part === NONE ? 'None (no value)' : part)

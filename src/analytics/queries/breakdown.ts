import { sql } from 'kysely'
import type { BreakdownValue } from '#model/actors/actors.schema.ts'
import { NONE, OTHER } from '#model/format.ts'
import { type BreakdownFilter, MAX_BREAKDOWNS } from '#model/query-kinds/common.schema.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { invalid } from '#server/errors.ts'
import type { EventTable, Sql } from '../event-table.ts'
import { type BreakdownCohort, byCohorts, isOfCohort } from './breakdown-cohorts.ts'
import { type ColumnRef, toTextColumn } from './columns.ts'
import type { FilterContext } from './filters.ts'

const DEFAULT_LIMIT = 25
/** Separates the values of several properties. */
const BETWEEN = '::'

export interface Breakdown {
  readonly by: readonly (ColumnRef & { readonly attr: string })[]
  /** Breaks down by these instead of by properties. A person can belong to several. */
  readonly cohorts?: readonly BreakdownCohort[]
  readonly limit: number
  readonly hidesOther: boolean
}

/** `attr` names the filter in error messages; `defaultLimit` is the number of values unless the filter says it. */
export function parseBreakdown(
  filter: BreakdownFilter | null | undefined,
  { cohorts }: Pick<FilterContext, 'cohorts'>,
  attr: string,
  defaultLimit = DEFAULT_LIMIT,
): Breakdown | undefined {
  const keys = [filter?.breakdown ?? []].flat()
  const type = filter?.breakdown_type
  if (type === 'cohort' && !filter?.breakdowns?.length) {
    return keys.length > 0 ? byCohorts(keys, cohorts, `${attr}__breakdown`) : undefined
  }
  const by = filter?.breakdowns?.length
    ? filter.breakdowns.map(({ property, type, group_type_index }, index) => ({
        key: property,
        type,
        groupIndex: group_type_index,
        attr: `${attr}__breakdowns__${index}__property`,
      }))
    : requireNames(keys, `${attr}__breakdown`).map((key) => ({
        key,
        type: type as ColumnRef['type'],
        groupIndex: filter?.breakdown_group_type_index,
        attr: `${attr}__breakdown`,
      }))
  if (by.length === 0) return undefined
  return {
    by,
    limit: filter?.breakdown_limit ?? defaultLimit,
    hidesOther: filter?.breakdown_hide_other_aggregation ?? false,
  }
}

function requireNames(keys: readonly (string | number)[], attr: string): string[] {
  if (keys.length > MAX_BREAKDOWNS) {
    throw invalid(attr, `Break down by at most ${MAX_BREAKDOWNS} properties.`, 'max_length')
  }
  if (keys.some((key) => typeof key !== 'string')) {
    throw invalid(attr, 'Enter the name of a property. IDs need "breakdown_type": "cohort".')
  }
  return keys as string[]
}

/** Events with texts of which their value consists. */
interface BreakdownPart {
  readonly texts: readonly Sql[]
  readonly isOf: Sql
}

/** Selects the events of each value: those with a value of the properties, or those of a cohort's persons. */
export const toBreakdownParts = (
  table: EventTable,
  breakdown: Breakdown,
  context: FilterContext,
): BreakdownPart[] =>
  breakdown.cohorts
    ? breakdown.cohorts.map((cohort) => ({
        texts: [sql`${sql.lit(cohort.value)}::text`],
        isOf: isOfCohort(table, cohort, context),
      }))
    : [{ texts: toTexts(table, breakdown), isOf: sql`true` }]

const toTexts = (table: EventTable, { by }: Breakdown): Sql[] =>
  by.map((column) => toTextColumn(table, column, column.attr))

/** Selects an event's value, never null. */
export const toBreakdownValue = (table: EventTable, breakdown: Breakdown): Sql =>
  joinTexts(toTexts(table, breakdown))

/** Joins texts to a value. An empty text counts as missing. */
export const joinTexts = (texts: readonly Sql[]): Sql =>
  sql.join(
    texts.map((text) => sql`coalesce(nullif(${text}, ''), ${sql.lit(NONE)})`),
    sql` || ${sql.lit(BETWEEN)} || `,
  )

/** Converts a value from a result to text; several properties may be a list or their joined text. */
export function requireBreakdownText(
  { cohorts }: Breakdown,
  value: BreakdownValue,
  attr: string,
): string {
  const text = sanitizeText([value].flat().map(String).join(BETWEEN))
  if (!cohorts || cohorts.some((cohort) => cohort.value === text)) return text
  throw invalid(attr, 'The query is not broken down by this cohort.', 'invalid_choice')
}

/** Returns the fields of a result that name a value. */
export function toValueFields(
  { cohorts }: Breakdown,
  value: string,
): { readonly breakdown_value: string | number; readonly breakdown_label?: string } {
  const cohort = cohorts?.find((each) => each.value === value)
  if (!cohort) return { breakdown_value: value }
  return { breakdown_value: cohort.id ?? value, breakdown_label: cohort.name }
}

export const toValueLabel = (breakdown: Breakdown, value: string): string =>
  toValueFields(breakdown, value).breakdown_label ?? toPropertyLabel(value)

const toPropertyLabel = (value: string): string =>
  value === OTHER
    ? 'Other (all remaining values)'
    : value.split(BETWEEN).map(toPartLabel).join(BETWEEN)

const toPartLabel = (part: string): string => (part === NONE ? 'None (no value)' : part)

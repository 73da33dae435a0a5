import { FILTERS } from '#model/display-settings.ts'
import { fieldsOf, type JsonObject, listOf } from '#model/json.ts'
import type { DisplaySettings } from '#model/query-kinds/display-settings.schema.ts'
import { invalid } from '#server/errors.ts'

type Rules = NonNullable<DisplaySettings['colorRules']>

/** Requires both ends of the ranges in the color rules of a query, which has one column of numbers. */
export function requireColorRules(query: JsonObject, attr: string): void {
  for (const name of FILTERS) {
    const at = `${attr}__${name}__colorRules`
    const rules = listOf<Rules[number]>(fieldsOf(query[name]).colorRules)
    requireRanges(rules, at)
    const other = rules.findIndex(({ column }) => (column ?? null) !== null)
    if (other < 0) continue
    throw invalid(`${at}__${other}__column`, 'Only rules for SQL results choose a column.')
  }
}

/** Requires both ends of ranges. */
export function requireRanges(rules: readonly Rules[number][], attr: string): void {
  for (const [at, { operator, value, to }] of rules.entries()) {
    if (operator !== 'between' || (typeof to === 'number' && to >= value)) continue
    throw invalid(`${attr}__${at}__to`, '"between" needs a number that is not less than "value".')
  }
}

import { FILTERS } from '#model/display-settings.ts'
import { fieldsOf, type JsonObject, listOf } from '#model/json.ts'
import type { DisplaySettings } from '#model/query-kinds/display-settings.schema.ts'
import { invalid } from '#server/errors.ts'

type Rules = NonNullable<DisplaySettings['colorRules']>

/** Requires both ends of the ranges in the color rules of a query. */
export function requireColorRules(query: JsonObject, attr: string): void {
  for (const name of FILTERS) {
    for (const [at, rule] of listOf<Rules[number]>(fieldsOf(query[name]).colorRules).entries()) {
      const { operator, value, to } = rule
      if (operator !== 'between' || (typeof to === 'number' && to >= value)) continue
      const detail = '"between" needs a number that is not less than "value".'
      throw invalid(`${attr}__${name}__colorRules__${at}__to`, detail)
    }
  }
}

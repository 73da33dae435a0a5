import { Properties } from '#model/query-kinds/common.schema.ts'
import { invalid } from '#server/errors.ts'
import { requireUnderstood } from '#server/http/require-understood.ts'
import { getSchemaCheck } from '#server/http/validation.ts'

/** Parses filters that the parameter `properties` of a list has as JSON. An error names the field at fault. */
export function parsePropertyFilters(text: string): Properties {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('properties', 'Enter valid JSON.')
  }
  getSchemaCheck(Properties)(value, 'properties')
  requireUnderstood(Properties, value, 'properties')
  return value as Properties
}

import { FILTERS, pickSettings, SQL_SETTINGS } from './display-settings.ts'
import { fieldsOf, isObject, type JsonObject, listOf } from './json.ts'

/** The fields of a query that determine how its result is drawn. */
const DRAWING_FIELDS = ['kind', 'display', 'interval'] as const

/** The columns of the result that a chart of SQL draws. */
const CHART_COLUMNS = ['xAxis', 'yAxis', 'seriesBreakdownColumn'] as const

/**
 * Removes filters and SQL, which may name customers and must not reach everyone who may see the result. Colors of values
 * that are not in the result, which is given as JSON, are removed for the same reason.
 */
export function toPublicQuery(query: object, result: string): JsonObject {
  const fields = fieldsOf(query)
  const kept = DRAWING_FIELDS.filter((key) => key in fields).map((key) => [key, fields[key]])
  const settings = FILTERS.map(
    (name) => [name, toPublicSettings(fieldsOf(fields[name]), result)] as const,
  )
  const chart = fieldsOf(fields[SQL_SETTINGS])
  const columns = CHART_COLUMNS.filter((key) => key in chart).map((key) => [key, chart[key]])
  const all = [
    ...settings,
    [SQL_SETTINGS, { ...Object.fromEntries(columns), ...toPublicSettings(chart, result) }] as const,
  ]
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(all.filter(([, picked]) => Object.keys(picked).length > 0)),
    ...(fields.source !== undefined && { source: toPublicQuery(fieldsOf(fields.source), result) }),
  }
}

function toPublicSettings(filter: JsonObject, result: string): JsonObject {
  const { resultCustomizations: given, ...settings } = pickSettings(filter)
  if (!isObject(given)) return settings
  const shown = Object.entries(given).filter(([key]) =>
    valuesIn(key).every((value) => result.includes(JSON.stringify(value))),
  )
  return { ...settings, resultCustomizations: Object.fromEntries(shown) }
}

/** Lists the values of the breakdown that a key names. */
function valuesIn(key: string): readonly unknown[] {
  try {
    return listOf(fieldsOf(JSON.parse(key)).breakdown_value)
  } catch {
    return [key]
  }
}

import { SQL_SETTINGS } from '#model/display-settings.ts'
import { isObject, type JsonObject } from '#model/json.ts'
import { ChartSettings } from '#model/query-kinds/display-settings.schema.ts'
import { requireUnderstood } from '#server/http/require-understood.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import { requireRanges } from './require-color-rules.ts'

/** Checks the display settings of SQL, which are in the node around the query. */
export function requireChartSettings(node: JsonObject, attr: string): void {
  const settings = node[SQL_SETTINGS]
  if (!isObject(settings)) return // clients send null for none
  const at = `${attr}__${SQL_SETTINGS}`
  getSchemaCheck(ChartSettings)(settings, at)
  requireUnderstood(ChartSettings, settings, at)
  const { colorRules } = settings as ChartSettings
  requireRanges(colorRules ?? [], `${at}__colorRules`)
}

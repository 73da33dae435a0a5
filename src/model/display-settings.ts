import { fieldsOf, type JsonObject } from './json.ts'
import type { DisplaySettings } from './query-kinds/display-settings.schema.ts'
import type { FunnelsFilter } from './query-kinds/funnels.schema.ts'
import { unwrapQuery } from './query-node.ts'

export type { DisplaySettings }

/** The fields of queries that hold display settings. */
export const FILTERS = [
  'trendsFilter',
  'stickinessFilter',
  'lifecycleFilter',
  'funnelsFilter',
  'retentionFilter',
] as const

/** The display settings that charts draw, by upstream's names and our own. */
export const DISPLAY_SETTINGS = [
  'aggregationAxisCurrency',
  'aggregationAxisFormat',
  'aggregationAxisPostfix',
  'aggregationAxisPrefix',
  'colorRules',
  'decimalPlaces',
  'detailedResultsAggregationType',
  'goalLines',
  'hiddenLegendIndexes',
  'layout',
  'lineShape',
  'lowerIsBetter',
  'minDecimalPlaces',
  'movingAverageIntervals',
  'numberLocale',
  'pieShape',
  'resultCustomizationBy',
  'resultCustomizations',
  'showDetailedResults',
  'showLegend',
  'showMovingAverage',
  'showPercentStackView',
  'showValuesOnSeries',
  'tableCells',
  'xAxisLabel',
  'yAxisLabel',
  'yAxisMax',
  'yAxisMin',
  'yAxisScaleType',
] as const satisfies readonly (keyof DisplaySettings | keyof FunnelsFilter)[]

/** The field of the outermost node that holds the display settings of SQL. */
export const SQL_SETTINGS = 'chartSettings'

/** Reads the display settings of a query. */
export function settingsOf(query: unknown): DisplaySettings {
  const { source, wrappers } = unwrapQuery(query)
  if (source.kind === 'HogQLQuery') return fieldsOf((wrappers[0] ?? source)[SQL_SETTINGS])
  const name = FILTERS.find((filter) => source[filter])
  return (name ? fieldsOf(source[name]) : {}) as DisplaySettings
}

/** Keeps only what determines how a result is drawn. */
export const pickSettings = (filter: JsonObject): JsonObject =>
  Object.fromEntries(
    ['display', ...DISPLAY_SETTINGS]
      .filter((key) => key in filter)
      .map((key) => [key, filter[key]]),
  )

/** Removes the settings that change no result, so that a query has the same result whatever they are. */
export function withoutSettings<Query extends object>(query: Query): Query {
  const changed = FILTERS.filter((name) => name in query).map((name) => {
    const { ...filter } = fieldsOf((query as JsonObject)[name]) as Record<string, unknown>
    for (const key of DISPLAY_SETTINGS) delete filter[key]
    return [name, filter]
  })
  return { ...query, ...Object.fromEntries(changed) }
}

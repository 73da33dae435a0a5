import { type Static, type TObject, Type } from 'typebox'
import { NUMBER_LOCALES } from '../number-locale.ts'
import { RULE_COLORS } from '../palette.ts'
import { choice, optional, options } from './common.schema.ts'

/** `bytes` is our own; the others are upstream's. */
export const AXIS_FORMATS = [
  'numeric',
  'duration',
  'duration_ms',
  'percentage',
  'percentage_scaled',
  'currency',
  'short',
  'bytes',
] as const

const Affix = Type.String({ maxLength: 50 })
const Places = Type.Integer({ minimum: 0, maximum: 10 })

const MAX_GOALS = 20
const MAX_CUSTOMIZED = 1000
const AxisTitle = Type.String({ maxLength: 100 })

const GoalLine = options(
  {
    label: Type.String({ maxLength: 100 }),
    value: Type.Number(),
    /** False hides the label. */
    displayLabel: optional(Type.Boolean()),
    /** False hides the line once a value reaches it. */
    displayIfCrossed: optional(Type.Boolean()),
  },
  ['borderColor', 'position'],
)
export type GoalLine = Static<typeof GoalLine>

export const MAX_COLOR_RULES = 20
export const COLOR_OPERATORS = ['gt', 'gte', 'lt', 'lte', 'exact', 'between'] as const

/** The operators of property filters, on the numbers that a chart shows. */
const ColorRule = options({
  operator: choice(COLOR_OPERATORS),
  value: Type.Number(),
  /** The greatest number that is `between`. */
  to: optional(Type.Number()),
  color: choice(RULE_COLORS),
  /** The one column that is colored, of an SQL table. */
  column: optional(Type.String({ maxLength: 400 })),
})

/** Upstream has 15 colors. Ours repeat after ten. */
const COLOR = '^preset-([1-9]|1[0-5])$'
const Customization = options({
  assignmentBy: optional(choice(['value', 'position'])),
  color: optional(Type.String({ pattern: COLOR })),
  /** Hides the series until someone clicks its name in the legend. */
  hidden: optional(Type.Boolean()),
})

export const LINE_SHAPES = ['straight', 'smooth', 'step'] as const

export const PIE_SHAPES = ['ring', 'full'] as const

/** The settings of charts that affect no result. */
export const displaySettings = {
  aggregationAxisFormat: optional(choice(AXIS_FORMATS)),
  aggregationAxisPrefix: optional(Affix),
  aggregationAxisPostfix: optional(Affix),
  /** The code of a currency, for the format `currency`. Our own: upstream has one currency for a whole project. */
  aggregationAxisCurrency: optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  /** The language in which numbers are written. Our own. */
  numberLocale: optional(choice(NUMBER_LOCALES)),
  decimalPlaces: optional(Places),
  minDecimalPlaces: optional(Places),
  /** Colors a number green if it falls. Our own. */
  lowerIsBetter: optional(Type.Boolean()),
  goalLines: optional(Type.Array(GoalLine, { maxItems: MAX_GOALS })),
  /** Color numbers, tables and value labels. The first rule that a number meets decides. Our own. */
  colorRules: optional(Type.Array(ColorRule, { maxItems: MAX_COLOR_RULES })),
  yAxisScaleType: optional(choice(['linear', 'log10'])),
  xAxisLabel: optional(AxisTitle),
  yAxisLabel: optional(AxisTitle),
  /** The ends of the value axis. Our own. */
  yAxisMin: optional(Type.Number()),
  yAxisMax: optional(Type.Number()),
  showValuesOnSeries: optional(Type.Boolean()),
  /** By default, charts of several series have a legend. */
  showLegend: optional(Type.Boolean()),
  /** The positions in the result of series that are hidden at first. */
  hiddenLegendIndexes: optional(
    Type.Array(Type.Integer({ minimum: 0 }), { maxItems: MAX_CUSTOMIZED }),
  ),
  /** Shows each part of a stack as its share. */
  showPercentStackView: optional(Type.Boolean()),
  showMovingAverage: optional(Type.Boolean()),
  movingAverageIntervals: optional(Type.Integer({ minimum: 2, maximum: 100 })),
  /** Our own. */
  lineShape: optional(choice(LINE_SHAPES)),
  /** `ring` is the default, with the total inside. Our own. */
  pieShape: optional(choice(PIE_SHAPES)),
  /** Draws the numbers of a table with bars behind them or on colors. Our own. */
  tableCells: optional(choice(['plain', 'bars', 'colors'])),
  /** Lists minimum, average, maximum and total of each series below a chart over time. Our own. */
  showDetailedResults: optional(Type.Boolean()),
  /** The last column of that list. */
  detailedResultsAggregationType: optional(choice(['total', 'average', 'median'])),
  /** By default, `resultCustomizations` has the values that `toSeriesKey` returns as its keys. */
  resultCustomizationBy: optional(choice(['value', 'position'])),
  resultCustomizations: optional(
    Type.Record(Type.String({ maxLength: 10_000 }), Customization, {
      maxProperties: MAX_CUSTOMIZED,
    }),
  ),
}
export type DisplaySettings = Static<TObject<typeof displaySettings>>

/** The settings of an SQL chart are in the node around its query. Upstream has more there, which is ignored. */
export const ChartSettings = Type.Object(displaySettings)
export type ChartSettings = Static<typeof ChartSettings>

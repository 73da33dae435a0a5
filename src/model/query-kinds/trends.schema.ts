import { type Static, Type } from 'typebox'
import { TREND_DISPLAYS, type TrendDisplay } from '../displays.ts'
import {
  BreakdownFilter,
  CHART_DISPLAY,
  choice,
  EventsNode,
  IntervalChoice,
  optional,
  options,
  QUERY_DISPLAY,
  shared,
} from './common.schema.ts'
import { displaySettings } from './display-settings.schema.ts'

export const DISPLAYS = Object.keys(TREND_DISPLAYS) as TrendDisplay[]

/** One series per letter that a formula can use. */
const MAX_SERIES = 26
const MAX_FORMULAS = 20

const Formula = Type.String({ minLength: 1, maxLength: 400 })

export const CompareFilter = options({
  compare: optional(Type.Boolean()),
  /** The offset of the compared period, such as `-1w`. Default: the period just before. */
  compare_to: optional(Type.String({ pattern: '^-[0-9]{1,4}[hdwmqy]$' })),
})

export const TrendsFilter = options(
  {
    ...displaySettings,
    display: optional(choice(DISPLAYS)),
    formula: optional(Type.Union([Formula, Type.Literal('')])),
    formulas: optional(Type.Array(Formula, { maxItems: MAX_FORMULAS })),
    formulaNodes: optional(
      Type.Array(
        options({ formula: Formula, custom_name: optional(Type.String({ maxLength: 400 })) }),
        { maxItems: MAX_FORMULAS },
      ),
    ),
    smoothingIntervals: optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  CHART_DISPLAY,
)

export const TrendsQuery = options(
  {
    kind: choice(['TrendsQuery']),
    series: Type.Array(EventsNode, { minItems: 1, maxItems: MAX_SERIES }),
    interval: optional(IntervalChoice),
    ...shared,
    breakdownFilter: optional(BreakdownFilter),
    compareFilter: optional(CompareFilter),
    trendsFilter: optional(TrendsFilter),
  },
  QUERY_DISPLAY,
)
export type TrendsQuery = Static<typeof TrendsQuery>

import { type Static, Type } from 'typebox'
import {
  CHART_DISPLAY,
  choice,
  grouped,
  IntervalChoice,
  NoBreakdown,
  optional,
  options,
  PersonsOrGroupNode,
  QUERY_DISPLAY,
  shared,
} from './common.schema.ts'
import { displaySettings } from './display-settings.schema.ts'
import { CompareFilter, DISPLAYS } from './trends.schema.ts'

const Criteria = options({
  operator: choice(['gte', 'lte', 'exact']),
  value: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
})
export type Criteria = Static<typeof Criteria>

const StickinessFilter = options(
  {
    ...displaySettings,
    display: optional(choice(DISPLAYS)),
    /** Cumulative counts persons who were active in at least that number of intervals. */
    computedAs: optional(choice(['non_cumulative', 'cumulative'])),
    /** The number of events that an interval needs to count. */
    stickinessCriteria: optional(Criteria),
  },
  CHART_DISPLAY,
)

export const StickinessQuery = options(
  {
    kind: choice(['StickinessQuery']),
    ...shared,
    ...grouped,
    series: Type.Array(PersonsOrGroupNode, { minItems: 1, maxItems: 26 }),
    interval: optional(IntervalChoice),
    intervalCount: optional(Type.Literal(1)),
    breakdownFilter: optional(NoBreakdown),
    stickinessFilter: optional(StickinessFilter),
    compareFilter: optional(CompareFilter),
  },
  QUERY_DISPLAY,
)
export type StickinessQuery = Static<typeof StickinessQuery>

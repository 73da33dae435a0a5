import { type Static, Type } from 'typebox'
import { choice, IntervalChoice, optional, series, shared } from './common.schema.ts'
import { CompareFilter, DISPLAYS } from './trends.schema.ts'

const Criteria = Type.Object({
  operator: choice(['gte', 'lte', 'exact']),
  value: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
})
export type Criteria = Static<typeof Criteria>

const StickinessFilter = Type.Object({
  display: optional(choice(DISPLAYS)),
  /** Cumulative: people active in at least that number of intervals. */
  computedAs: optional(choice(['non_cumulative', 'cumulative'])),
  /** The number of events that an interval needs to count. */
  stickinessCriteria: optional(Criteria),
})

export const StickinessQuery = Type.Object({
  kind: choice(['StickinessQuery']),
  ...shared,
  series: series(26),
  interval: optional(IntervalChoice),
  stickinessFilter: optional(StickinessFilter),
  compareFilter: optional(CompareFilter),
})
export type StickinessQuery = Static<typeof StickinessQuery>

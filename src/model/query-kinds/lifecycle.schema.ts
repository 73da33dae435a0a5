import { type Static, Type } from 'typebox'
import {
  choice,
  grouped,
  IntervalChoice,
  NoBreakdown,
  optional,
  options,
  PersonsNode,
  QUERY_DISPLAY,
  shared,
} from './common.schema.ts'

export const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const

const LifecycleFilter = options(
  {
    showLegend: optional(Type.Boolean()),
    /** The statuses to return; null returns all. */
    toggledLifecycles: optional(Type.Array(choice(STATUSES), { maxItems: 100 })),
  },
  ['showValuesOnSeries', 'stacked'],
)

export const LifecycleQuery = options(
  {
    kind: choice(['LifecycleQuery']),
    ...shared,
    ...grouped,
    series: Type.Array(PersonsNode, { minItems: 1, maxItems: 1 }),
    interval: optional(IntervalChoice),
    breakdownFilter: optional(NoBreakdown),
    lifecycleFilter: optional(LifecycleFilter),
  },
  QUERY_DISPLAY,
)
export type LifecycleQuery = Static<typeof LifecycleQuery>

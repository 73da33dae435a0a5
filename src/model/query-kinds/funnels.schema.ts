import { type Static, Type } from 'typebox'
import {
  BreakdownFilter,
  CHART_DISPLAY,
  choice,
  grouped,
  IntervalChoice,
  optional,
  options,
  PersonsNode,
  QUERY_DISPLAY,
  shared,
} from './common.schema.ts'
import { displaySettings } from './display-settings.schema.ts'

/** Each step costs a pass over the persons who reached it. */
const MAX_STEPS = 20

export const WINDOW_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const

const stepIndex = Type.Integer({ minimum: 0, maximum: MAX_STEPS - 1 })

const FunnelsFilter = options(
  {
    ...displaySettings,
    funnelOrderType: optional(choice(['ordered', 'strict', 'unordered'])),
    funnelVizType: optional(choice(['steps', 'time_to_convert', 'trends'])),
    funnelWindowInterval: optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    funnelWindowIntervalUnit: optional(choice(WINDOW_UNITS)),
    /** The steps between which times and trends are measured: by default, the first and the last. */
    funnelFromStep: optional(stepIndex),
    funnelToStep: optional(stepIndex),
    binCount: optional(Type.Union([Type.Integer({ minimum: 1, maximum: 90 }), choice(['auto'])])),
    breakdownAttributionType: optional(choice(['first_touch', 'last_touch', 'all_events', 'step'])),
    breakdownAttributionValue: optional(stepIndex),
    exclusions: optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
    /** Columns, the default, or bars. */
    layout: optional(choice(['vertical', 'horizontal'])),
    funnelAggregateByHogQL: optional(choice(['', 'person_id'])),
  },
  [...CHART_DISPLAY, 'funnelStepReference', 'useUdf'],
)
export type FunnelsFilter = Static<typeof FunnelsFilter>

export const FunnelsQuery = options(
  {
    kind: choice(['FunnelsQuery']),
    ...shared,
    ...grouped,
    series: Type.Array(PersonsNode, { minItems: 2, maxItems: MAX_STEPS }),
    interval: optional(IntervalChoice),
    breakdownFilter: optional(BreakdownFilter),
    funnelsFilter: optional(FunnelsFilter),
  },
  QUERY_DISPLAY,
)
export type FunnelsQuery = Static<typeof FunnelsQuery>

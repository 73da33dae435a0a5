import { type Static, Type } from 'typebox'
import { choice, IntervalChoice, optional, series, shared } from './common.schema.ts'

export const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const

const LifecycleFilter = Type.Object({
  /** Only these are answered; null: all of them. */
  toggledLifecycles: optional(Type.Array(choice(STATUSES), { maxItems: 100 })),
})

export const LifecycleQuery = Type.Object({
  kind: choice(['LifecycleQuery']),
  ...shared,
  series: series(1),
  interval: optional(IntervalChoice),
  lifecycleFilter: optional(LifecycleFilter),
})
export type LifecycleQuery = Static<typeof LifecycleQuery>

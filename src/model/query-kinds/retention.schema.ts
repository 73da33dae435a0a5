import { type Static, Type } from 'typebox'
import { choice, optional, Properties, shared } from './common.schema.ts'

const Entity = Type.Object({
  /** An event's name; null: any event. */
  id: optional(Type.String({ maxLength: 400 })),
  name: optional(Type.String({ maxLength: 400 })),
  type: optional(choice(['events'])),
  properties: optional(Properties),
})
export type Entity = Static<typeof Entity>

export const PERIODS = ['Hour', 'Day', 'Week', 'Month'] as const
export type Period = (typeof PERIODS)[number]

const RetentionFilter = Type.Object({
  period: optional(choice(PERIODS)),
  totalIntervals: optional(Type.Integer({ minimum: 2, maximum: 100 })),
  retentionType: optional(choice(['retention_recurring', 'retention_first_time'])),
  targetEntity: optional(Entity),
  returningEntity: optional(Entity),
  /** Counts who came back in an interval or in a later one. */
  cumulative: optional(Type.Boolean()),
})

export const RetentionQuery = Type.Object({
  kind: choice(['RetentionQuery']),
  ...shared,
  retentionFilter: optional(RetentionFilter),
})
export type RetentionQuery = Static<typeof RetentionQuery>

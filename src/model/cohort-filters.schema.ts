import { type Static, Type } from 'typebox'
import type { ActionRules } from './actions.ts'
import {
  ActionId,
  choice,
  OPERATORS,
  optional,
  PropertyFilter,
} from './query-kinds/common.schema.ts'

/** The conditions of a dynamic cohort, in PostHog's shape. */

const negation = optional(Type.Boolean({ description: 'true: everyone else.' }))

/** Persons with a property. */
export const PersonCondition = Type.Object(
  {
    ...PropertyFilter.properties,
    type: choice(['person']),
    operator: optional(choice(OPERATORS)),
    negation,
  },
  { title: 'CohortPersonCondition' },
)
export type PersonCondition = Static<typeof PersonCondition>

export const TIME_UNITS = ['hour', 'day', 'week', 'month', 'year'] as const
export const COUNT_OPERATORS = ['gte', 'lte', 'exact', 'eq', 'gt', 'lt'] as const

const EventProperty = Type.Object({
  ...PropertyFilter.properties,
  type: optional(choice(['event'])),
})

/** Persons who performed an event within a period, optionally a number of times. */
export const BehaviorCondition = Type.Object(
  {
    type: choice(['behavioral']),
    key: Type.Union([Type.String({ minLength: 1, maxLength: 400 }), ActionId], {
      description: 'The name of the event, or the ID of the action.',
    }),
    value: choice(['performed_event', 'performed_event_multiple']),
    event_type: optional(choice(['events', 'actions'])),
    time_value: optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    time_interval: optional(choice(TIME_UNITS)),
    explicit_datetime: optional(
      Type.String({ maxLength: 50, description: 'Instead of `time_value`: `-30d`, `2026-01-31`.' }),
    ),
    operator: optional(choice(COUNT_OPERATORS)),
    operator_value: optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    event_filters: optional(Type.Array(EventProperty, { maxItems: 20 })),
    negation,
  },
  { title: 'CohortBehaviorCondition' },
)
export type BehaviorCondition = Static<typeof BehaviorCondition> & {
  /** The events of an action, once it is resolved. */
  readonly action?: ActionRules
}

/** Persons in another cohort. */
export const MembershipCondition = Type.Object(
  {
    type: choice(['cohort']),
    key: optional(choice(['id'])),
    value: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    operator: optional(choice(['in', 'not_in', 'exact'])),
    negation,
  },
  { title: 'CohortMembershipCondition' },
)
export type MembershipCondition = Static<typeof MembershipCondition>

export type CohortCondition = PersonCondition | BehaviorCondition | MembershipCondition

export interface CohortGroup {
  readonly type: 'AND' | 'OR'
  readonly values: readonly (CohortGroup | CohortCondition)[]
}

/** The schema of each type of condition. */
export const CONDITIONS = {
  person: PersonCondition,
  behavioral: BehaviorCondition,
  cohort: MembershipCondition,
} as const

import { type Static, Type } from 'typebox'
import { IdInput } from '#server/features/dashboards/tiles/schema.ts'
import { UserOrNull } from '#server/features/people/users/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { ResourceName, SigningSecret, TargetType } from '../deliveries/schema.ts'

const Time = Type.String({ format: 'date-time' })
const IdOrNull = Type.Union([Type.Integer(), Type.Null()])

export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const
const Frequency = Type.Unsafe<(typeof FREQUENCIES)[number]>({
  type: 'string',
  enum: FREQUENCIES,
  description: 'Every day, on Mondays, or on the first of a month.',
})
const Hour = Type.Integer({
  minimum: 0,
  maximum: 23,
  description: "In the project's time zone.",
})

export const Subscription = Type.Object(
  {
    id: Type.Integer(),
    insight: IdOrNull,
    dashboard: IdOrNull,
    resource_name: ResourceName,
    title: Type.String(),
    enabled: Type.Boolean(),
    frequency: Frequency,
    hour: Hour,
    target_type: TargetType,
    target_value: Type.String(),
    next_delivery_date: Time,
    created_at: Time,
    created_by: UserOrNull,
  },
  { title: 'Subscription', additionalProperties: false },
)
export type Subscription = Static<typeof Subscription>

export const SubscriptionWithSecret = Type.Object(
  { ...Subscription.properties, ...SigningSecret.properties },
  { title: 'SubscriptionWithSecret', additionalProperties: false },
)
export type SubscriptionWithSecret = Static<typeof SubscriptionWithSecret>

const needed = {
  frequency: Frequency,
  target_type: TargetType,
  target_value: Type.String({
    maxLength: 2000,
    description: "The webhook's URL, or the e-mail address.",
  }),
}
const free = {
  title: Type.String({ maxLength: 255, description: 'Of what is sent, if not given.' }),
  enabled: Type.Boolean({ description: 'true if not given.' }),
  hour: Hour,
}
const what = {
  insight: Type.Optional(Type.Union([IdInput(), Type.Null()])),
  dashboard: Type.Optional(Type.Union([IdInput(), Type.Null()])),
}

export const SubscriptionCreate = Type.Object(
  { ...what, ...needed, ...Type.Partial(Type.Object(free)).properties },
  { title: 'SubscriptionCreate', description: 'Of `insight` and `dashboard`, one.' },
)
export type SubscriptionCreate = Static<typeof SubscriptionCreate>

export const SubscriptionPatch = Type.Partial(Type.Object({ ...needed, ...free }), {
  title: 'SubscriptionPatch',
})
export type SubscriptionPatch = Static<typeof SubscriptionPatch>

export const SubscriptionParams = Type.Object({ project_id: Type.String(), id: Type.String() })

export const SubscriptionQuery = Type.Object({
  ...PageQuery.properties,
  insight: Type.Optional(IdInput()),
  dashboard: Type.Optional(IdInput()),
})
export type SubscriptionQuery = Static<typeof SubscriptionQuery>

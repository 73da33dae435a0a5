import { type Static, Type } from 'typebox'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { IdInput, Time } from '#server/http/schemas.ts'
import { ResourceName, SigningSecret, TargetType } from '../deliveries/schema.ts'

const IdOrNull = Type.Union([Type.Integer(), Type.Null()])

export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const
const Frequency = Type.Unsafe<(typeof FREQUENCIES)[number]>({
  title: 'SubscriptionFrequency',
  type: 'string',
  enum: FREQUENCIES,
  description: 'Every day, every Monday, or on the first of each month.',
})
const Hour = Type.Integer({
  minimum: 0,
  maximum: 23,
  description: "Hour of the day in the project's time zone. Default: 9.",
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

const requiredFields = {
  frequency: Frequency,
  target_type: TargetType,
  target_value: Type.String({
    maxLength: 2000,
    description: 'URL of the webhook, or the e-mail address.',
  }),
}
const optionalFields = {
  title: Type.String({
    maxLength: 255,
    description: "Default: the insight's or dashboard's name.",
  }),
  enabled: Type.Boolean({ description: 'Default: true.' }),
  hour: Hour,
}
const resourceFields = {
  insight: Type.Optional(Type.Union([IdInput(), Type.Null()])),
  dashboard: Type.Optional(Type.Union([IdInput(), Type.Null()])),
}

export const SubscriptionCreate = Type.Object(
  {
    ...resourceFields,
    ...requiredFields,
    ...Type.Partial(Type.Object(optionalFields)).properties,
  },
  { title: 'SubscriptionCreate', description: 'Takes either `insight` or `dashboard`.' },
)
export type SubscriptionCreate = Static<typeof SubscriptionCreate>

export const SubscriptionPatch = Type.Partial(
  Type.Object({ ...requiredFields, ...optionalFields }),
  {
    title: 'SubscriptionPatch',
  },
)
export type SubscriptionPatch = Static<typeof SubscriptionPatch>

export const SubscriptionQuery = Type.Object({
  ...PageQuery.properties,
  insight: Type.Optional(IdInput()),
  dashboard: Type.Optional(IdInput()),
})
export type SubscriptionQuery = Static<typeof SubscriptionQuery>

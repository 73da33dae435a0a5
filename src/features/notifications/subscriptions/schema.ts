import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { IdInput } from '#server/http/schemas.ts'
import { moveLast } from '#server/resource/resource.ts'
import { SigningSecret } from '../deliveries/schema.ts'
import { subscriptionResource } from './fields.ts'

export const Subscription = Type.Object(subscriptionResource.item, {
  title: 'Subscription',
  additionalProperties: false,
})
export type Subscription = Static<typeof Subscription>

export const SubscriptionWithSecret = Type.Object(
  { ...Subscription.properties, ...SigningSecret.properties },
  { title: 'SubscriptionWithSecret', additionalProperties: false },
)
export type SubscriptionWithSecret = Static<typeof SubscriptionWithSecret>

const written = moveLast(subscriptionResource.write, 'title', 'enabled', 'hour')
const { insight: _, dashboard: __, ...patched } = written
const { frequency, target_type, target_value } = written

export const SubscriptionCreate = Type.Object(
  { ...Type.Partial(Type.Object(written)).properties, frequency, target_type, target_value },
  { title: 'SubscriptionCreate', description: 'Takes either `insight` or `dashboard`.' },
)
export type SubscriptionCreate = Static<typeof SubscriptionCreate>

export const SubscriptionPatch = Type.Partial(Type.Object(patched), { title: 'SubscriptionPatch' })
export type SubscriptionPatch = Static<typeof SubscriptionPatch>

export const SubscriptionQuery = Type.Object({
  ...PageQuery.properties,
  insight: Type.Optional(IdInput()),
  dashboard: Type.Optional(IdInput()),
})
export type SubscriptionQuery = Static<typeof SubscriptionQuery>

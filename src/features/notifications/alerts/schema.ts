import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { IdInput } from '#server/http/schemas.ts'
import { SigningSecret } from '../deliveries/schema.ts'
import { alertResource } from './fields.ts'

export const Alert = Type.Object(alertResource.item, {
  title: 'Alert',
  additionalProperties: false,
})
export type Alert = Static<typeof Alert>

export const AlertWithSecret = Type.Object(
  { ...Alert.properties, ...SigningSecret.properties },
  { title: 'AlertWithSecret', additionalProperties: false },
)
export type AlertWithSecret = Static<typeof AlertWithSecret>

const { insight, threshold, condition, targets, subscribed_users, ...others } = alertResource.write
const optional = { condition, targets, subscribed_users, ...others }

export const AlertCreate = Type.Object(
  { insight, threshold, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'AlertCreate' },
)
export type AlertCreate = Static<typeof AlertCreate>

export const AlertPatch = Type.Partial(Type.Object({ insight, threshold, ...optional }), {
  title: 'AlertPatch',
})
export type AlertPatch = Static<typeof AlertPatch>

export const AlertQuery = Type.Object({
  ...PageQuery.properties,
  insight: Type.Optional(IdInput({ description: 'Only alerts on the insight with this ID.' })),
})
export type AlertQuery = Static<typeof AlertQuery>

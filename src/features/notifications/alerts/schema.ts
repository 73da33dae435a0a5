import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { IdInput } from '#server/http/schemas.ts'
import { SigningSecret } from '../deliveries/schema.ts'
import { alertResource, SourceInput } from './fields.ts'

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

const { write } = alertResource

export const AlertCreate = Type.Object(
  { ...Type.Partial(Type.Object(write)).properties, source: Type.Optional(SourceInput) },
  {
    title: 'AlertCreate',
    description:
      'An alert on an insight needs `insight` and `threshold`, one on an import `source` and `on`.',
  },
)
export type AlertCreate = Static<typeof AlertCreate>

export const AlertPatch = Type.Partial(Type.Object(write), { title: 'AlertPatch' })
export type AlertPatch = Static<typeof AlertPatch>

export const AlertQuery = Type.Object({
  ...PageQuery.properties,
  insight: Type.Optional(IdInput({ description: 'Only alerts on the insight with this ID.' })),
  config: Type.Optional(
    IdInput({ description: 'Only alerts on the import of the config with this ID.' }),
  ),
})
export type AlertQuery = Static<typeof AlertQuery>

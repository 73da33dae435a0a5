import { type Static, Type } from 'typebox'

export const MAX_KEY_LENGTH = 200

const version = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Increases with each change, also of the app. 0: nothing was ever stored.',
})

const State = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'The values of `meta.storage` by their keys.',
})

export const ImportState = Type.Object(
  {
    version,
    bytes: Type.Integer({ description: 'The room that the values take, of 32 MiB.' }),
    state: State,
  },
  { title: 'ImportAppState', additionalProperties: false },
)
export type ImportState = Static<typeof ImportState>

export const ImportStatePut = Type.Object(
  { version, state: State },
  { title: 'ImportAppStatePut', additionalProperties: false },
)
export type ImportStatePut = Static<typeof ImportStatePut>

export const StateVersion = Type.Object({
  version: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Refuses to delete any other version.',
    }),
  ),
})

import { type Static, Type } from 'typebox'
import { choice } from './common.schema.ts'

/** SQL over `events`, under the name that clients know it by. */
export const HogQLQuery = Type.Object({
  kind: choice(['HogQLQuery']),
  query: Type.String({ minLength: 1, maxLength: 20_000 }),
})
export type HogQLQuery = Static<typeof HogQLQuery>

import { type Static, Type } from 'typebox'

/** SQL over `events`, under the name that clients know it by. */
export const SqlQuery = Type.Object({
  kind: Type.String(),
  query: Type.String({ minLength: 1, maxLength: 20_000 }),
})
export type SqlQuery = Static<typeof SqlQuery>

import type { Db } from '#server/db/schema.ts'
import { type JsonText, toJsonText } from '#server/http/json-text.ts'
import { type User, UserOrNull } from './schema.ts'
import { listUsersById } from './store.ts'

/** Returns a user as JSON, or `null` for an id without a user. */
export type UserTexts = (id: number | null) => JsonText

const NO_USER = toJsonText(null)

/** Defines the field of a user whose ID is in a column. */
export const userField = <Column extends string>(column: Column) => ({
  schema: UserOrNull,
  column,
  read: (row: Readonly<Record<Column, number | null>>, { users }: { readonly users: UserTexts }) =>
    users(row[column]),
})

/** Serializes each user once per response. Users in `known` are not read again. */
export async function listUserTexts(
  db: Db,
  ids: readonly (number | null)[],
  known?: User,
): Promise<UserTexts> {
  const texts = new Map(known && [[known.id, toJsonText(known)]])
  const missing = ids.filter((id) => id !== null && !texts.has(id))
  for (const [id, user] of await listUsersById(db, missing)) texts.set(id, toJsonText(user))
  return (id) => texts.get(id ?? 0) ?? NO_USER
}

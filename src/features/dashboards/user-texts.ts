import type { Db } from '#server/db/schema.ts'
import { type JsonText, toJsonText } from '#server/http/json-text.ts'
import type { User } from '../accounts/users/schema.ts'
import { listUsersById } from '../accounts/users/store.ts'

/** Returns a user as JSON, or `null` for an id without a user. */
export type UserTexts = (id: number | null) => JsonText

const NO_USER = toJsonText(null)

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

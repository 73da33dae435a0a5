import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { toId, toUuid } from '#server/http/ids.ts'
import { requireLength } from '#server/http/names.ts'
import { findUser, findUserByEmail, findUserByUuid, type UserRow } from './store.ts'

/** Matches `format: email` of the response schemas. */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i

export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text)

export function requireEmail(text: string): string {
  const email = requireLength('email', text, 254)
  if (!EMAIL.test(email)) throw invalid('email', `"${email}" is not an e-mail address.`)
  return email
}

/** `own`: a user who may have the address already. */
export async function requireFreeEmail(db: Db, email: string, own?: number): Promise<void> {
  const user = await findUserByEmail(db, email)
  if (!user || user.id === own) return
  throw invalid('email', `There is already a user with the e-mail ${email}.`)
}

/** Accepts an e-mail, UUID or ID. */
export async function getUser(db: Db, reference: string): Promise<UserRow> {
  const user = await findUserBy(db, reference)
  if (user && user.removed_at === null) return user
  throw invalid('user', `There is no user "${reference}".`, 'does_not_exist')
}

async function findUserBy(db: Db, reference: string): Promise<UserRow | undefined> {
  if (reference.includes('@')) return findUserByEmail(db, reference)
  const uuid = toUuid(reference)
  if (uuid) return findUserByUuid(db, uuid)
  const id = toId(reference)
  return id === undefined ? undefined : findUser(db, id)
}

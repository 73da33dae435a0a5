import { maskApiKey } from '#server/access/keys.ts'
import { generateToken, hashToken } from '#server/access/sessions.ts'
import type { Db } from '#server/db/schema.ts'
import { now, randomText } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { requireName } from '#server/http/names.ts'

/** A token of an identity provider. It opens SCIM and nothing else. */
export interface ScimToken {
  readonly id: string
  readonly label: string
  readonly mask: string
  readonly created_at: string
  /** Accurate to the hour. */
  readonly last_used_at: string | null
}

const COLUMNS = ['id', 'label', 'mask', 'created_at', 'last_used_at'] as const
const PRECISION_MS = 3_600_000

/** The value is returned only here: the database has its hash. */
export async function createScimToken(
  db: Db,
  label: string,
): Promise<ScimToken & { readonly value: string }> {
  const value = `scim_${generateToken()}`
  const token = await db
    .insertInto('scim_tokens')
    .values({
      id: randomText(22),
      label: requireName('label', label, 40),
      hash: hashToken(value),
      mask: maskApiKey(value),
      created_at: now(),
      last_used_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { ...token, value }
}

export const listScimTokens = (db: Db): Promise<ScimToken[]> =>
  db.selectFrom('scim_tokens').select(COLUMNS).orderBy('created_at').orderBy('id').execute()

export async function revokeScimToken(db: Db, id: string): Promise<ScimToken> {
  const tokens = db.deleteFrom('scim_tokens').where('id', '=', id)
  const token = await tokens.returning(COLUMNS).executeTakeFirst()
  if (token) return token
  throw invalid('id', `There is no SCIM token "${id}".`, 'does_not_exist')
}

/** Tells whether a token exists, and records its use. */
export async function useScimToken(db: Db, value: string): Promise<boolean> {
  const tokens = db.selectFrom('scim_tokens').select(['id', 'last_used_at'])
  const token = await tokens.where('hash', '=', hashToken(value)).executeTakeFirst()
  if (!token) return false
  const { id, last_used_at } = token
  if (Date.now() - (Date.parse(last_used_at ?? '') || 0) > PRECISION_MS) {
    await db.updateTable('scim_tokens').set({ last_used_at: now() }).where('id', '=', id).execute()
  }
  return true
}

import { findApiKeyPrincipal, type Principal } from '#server/access/keys.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { Introspection } from './schema.ts'

/** Describes a key to its owner (RFC 7662). Keys that do not work, and those of other users, are inactive. */
export async function introspectKey(
  db: Db,
  { userId }: Principal,
  token: string,
): Promise<Introspection> {
  const key = await findApiKeyPrincipal(db, token)
  const isExpired = key?.expiresAt && key.expiresAt <= now()
  if (!key || isExpired || key.userId !== userId) return { active: false }
  return {
    active: true,
    token_type: 'Bearer',
    scope: [...key.scopes].join(' '),
    ...(key.expiresAt && { exp: Math.floor(Date.parse(key.expiresAt) / 1000) }),
    scoped_teams: [...(key.projects ?? [])],
    scoped_organizations: [],
  }
}

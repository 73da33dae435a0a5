import { hashApiKey, insertApiKey, type Principal, maskApiKey, generateApiKey } from '#server/access/keys.ts'
import { isKeyScope, type KeyScope } from '#server/access/scopes.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { json, now } from '#server/db/values.ts'
import { invalid, notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import { requireName } from '#server/http/names.ts'
import { parseTime } from '#server/http/times.ts'
import { type KeyPermissions, requireNoEscalation, requireNotStronger } from './key-permissions.ts'
import {
  type ApiKeyRow,
  countPersonalApiKeys,
  findPersonalApiKey,
  toPersonalApiKey,
  updatePersonalApiKey,
} from './personal-api-keys-store.ts'
import type { PersonalApiKey, PersonalApiKeyCreate, PersonalApiKeyPatch } from './schema.ts'
import { deleteApiKey } from './store.ts'

const MAX_KEYS = 50

/** Another's key does not exist. */
async function getRow(db: Db, holder: Principal, id: string): Promise<ApiKeyRow> {
  const row = await findPersonalApiKey(db, holder.userId, id)
  if (!row) throw notFound()
  return row
}

export const getPersonalApiKey = async (
  db: Db,
  holder: Principal,
  id: string,
): Promise<PersonalApiKey> => toPersonalApiKey(await getRow(db, holder, id))

export function createPersonalApiKey(
  db: Db,
  holder: Principal,
  body: PersonalApiKeyCreate,
): Promise<PersonalApiKey> {
  const label = requireName('label', body.label, 40)
  const powers = {
    scopes: requireScopes(body.scopes),
    projects: requireProjects(holder, body.scoped_teams),
    expires_at: requireFuture(body.expires_at),
  }
  requireOrganizations(holder, body.scoped_organizations)
  requireNoEscalation(holder, powers)
  return changeAccess(db, async (tx) => {
    if ((await countPersonalApiKeys(tx, holder.userId)) >= MAX_KEYS) {
      throw invalid(
        null,
        `You can only have ${MAX_KEYS} personal API keys. Remove an existing key before creating a new one.`,
      )
    }
    const value = generateApiKey()
    const id = await insertApiKey(tx, {
      ...{ userId: holder.userId, label, value },
      description: body.description || null,
      scopes: powers.scopes,
      projects: powers.projects ?? undefined,
      expiresAt: powers.expires_at ?? undefined,
    })
    return toPersonalApiKey(await getRow(tx, holder, id), value)
  })
}

export function patchPersonalApiKey(
  db: Db,
  holder: Principal,
  id: string,
  body: PersonalApiKeyPatch,
): Promise<PersonalApiKey> {
  const label = body.label === undefined ? undefined : requireName('label', body.label, 40)
  const changed: Partial<KeyPermissions> = {
    ...(body.scopes && { scopes: requireScopes(body.scopes) }),
    ...(body.scoped_teams !== undefined && {
      projects: requireProjects(holder, body.scoped_teams),
    }),
    ...(body.expires_at !== undefined && { expires_at: requireFuture(body.expires_at) }),
  }
  requireOrganizations(holder, body.scoped_organizations)
  return changeWeaker(db, holder, id, async (tx, row) => {
    const powers = { ...powersOf(row), ...changed }
    requireNoEscalation(holder, powers)
    const after = await updatePersonalApiKey(tx, row, {
      label,
      description: body.description === undefined ? undefined : body.description || null,
      scopes: json(powers.scopes),
      projects: powers.projects && json(powers.projects),
      expires_at: powers.expires_at,
    })
    return toPersonalApiKey(after)
  })
}

/** For good: its value is refused from now on. */
export const removePersonalApiKey = (db: Db, holder: Principal, id: string): Promise<void> =>
  changeWeaker(db, holder, id, (tx, row) => deleteApiKey(tx, row.id))

/** The same key with another value; the old one is refused from now on. */
export const rollPersonalApiKey = (
  db: Db,
  holder: Principal,
  id: string,
): Promise<PersonalApiKey> =>
  changeWeaker(db, holder, id, async (tx, row) => {
    const value = generateApiKey()
    const secret = { hash: hashApiKey(value), mask: maskApiKey(value) }
    const after = await updatePersonalApiKey(tx, row, { ...secret, last_rolled_at: now() })
    return toPersonalApiKey(after, value)
  })

const changeWeaker = <T>(
  db: Db,
  holder: Principal,
  id: string,
  change: (tx: Tx, row: ApiKeyRow) => Promise<T>,
): Promise<T> =>
  changeAccess(db, async (tx) => {
    const row = await getRow(tx, holder, id)
    requireNotStronger(holder, { ...powersOf(row), id: row.id, label: row.label })
    return change(tx, row)
  })

const powersOf = ({ scopes, projects, expires_at }: ApiKeyRow): KeyPermissions => ({
  scopes: JSON.parse(scopes),
  projects: projects === null ? null : JSON.parse(projects),
  expires_at,
})

function requireScopes(scopes: readonly string[]): KeyScope[] {
  const unknown = scopes.find((scope) => !isKeyScope(scope))
  if (unknown !== undefined) throw invalid('scopes', `Invalid scope: ${unknown}`)
  return [...new Set(scopes as KeyScope[])]
}

function requireProjects(holder: Principal, ids: readonly number[] | null | undefined) {
  if (!ids || ids.length === 0) return null
  if (ids.every((id) => holder.memberOf.has(id))) return [...new Set(ids)]
  const detail = 'You must be a member of all teams that you are scoping the key to.'
  throw invalid('scoped_teams', detail)
}

function requireOrganizations(holder: Principal, ids: readonly string[] | null | undefined) {
  for (const id of ids ?? []) {
    const uuid = toUuid(id)
    if (uuid === undefined) throw invalid('scoped_organizations', 'Invalid organization UUID')
    if (uuid === holder.organizationId) continue
    const detail = 'You must be a member of all organizations that you are scoping the key to.'
    throw invalid('scoped_organizations', detail)
  }
}

function requireFuture(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const time = parseTime(text)
  if (time === undefined) throw invalid('expires_at', 'Enter a valid ISO 8601 time.')
  const end = new Date(time).toISOString()
  if (end <= now()) throw invalid('expires_at', 'The expiry is in the past.')
  return end
}

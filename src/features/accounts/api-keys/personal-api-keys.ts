import {
  generateApiKey,
  hashApiKey,
  insertApiKey,
  maskApiKey,
  type Principal,
} from '#server/access/keys.ts'
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
  listPersonalApiKeyRows,
  toPersonalApiKey,
  updatePersonalApiKey,
} from './personal-api-keys-store.ts'
import type { PersonalApiKey, PersonalApiKeyCreate, PersonalApiKeyPatch } from './schema.ts'
import { deleteApiKey } from './store.ts'

const MAX_KEYS = 50

/** Lists the keys of the user. A key that is limited to projects sees only keys that are limited to the same ones. */
export async function listPersonalApiKeys(db: Db, principal: Principal): Promise<PersonalApiKey[]> {
  const rows = await listPersonalApiKeyRows(db, principal.userId)
  return rows.filter((row) => isVisible(principal, row)).map((row) => toPersonalApiKey(row))
}

/** Reports the keys of other users as not found, and those that the caller's key cannot see. */
async function getRow(db: Db, principal: Principal, id: string): Promise<ApiKeyRow> {
  const row = await findPersonalApiKey(db, principal.userId, id)
  if (!row || !isVisible(principal, row)) throw notFound()
  return row
}

function isVisible({ projects: own }: Principal, row: ApiKeyRow): boolean {
  const { projects } = toPermissions(row)
  return !own || (projects?.every((id) => own.has(id)) ?? false)
}

export const getPersonalApiKey = async (
  db: Db,
  principal: Principal,
  id: string,
): Promise<PersonalApiKey> => toPersonalApiKey(await getRow(db, principal, id))

export function createPersonalApiKey(
  db: Db,
  principal: Principal,
  body: PersonalApiKeyCreate,
): Promise<PersonalApiKey> {
  const label = requireName('label', body.label, 40)
  const permissions = {
    scopes: requireScopes(body.scopes),
    projects: requireProjects(principal, body.scoped_teams),
    expires_at: requireFuture(body.expires_at),
  }
  requireOrganizations(principal, body.scoped_organizations)
  requireNoEscalation(principal, permissions)
  return changeAccess(db, async (tx) => {
    if ((await countPersonalApiKeys(tx, principal.userId)) >= MAX_KEYS) {
      throw invalid(
        null,
        `You can only have ${MAX_KEYS} personal API keys. Remove an existing key before creating a new one.`,
      )
    }
    const value = generateApiKey()
    const id = await insertApiKey(tx, {
      userId: principal.userId,
      label,
      value,
      description: body.description || null,
      scopes: permissions.scopes,
      projects: permissions.projects ?? undefined,
      expiresAt: permissions.expires_at ?? undefined,
    })
    return toPersonalApiKey(await getRow(tx, principal, id), value)
  })
}

export function patchPersonalApiKey(
  db: Db,
  principal: Principal,
  id: string,
  body: PersonalApiKeyPatch,
): Promise<PersonalApiKey> {
  const label = body.label === undefined ? undefined : requireName('label', body.label, 40)
  const changed: Partial<KeyPermissions> = {
    ...(body.scopes && { scopes: requireScopes(body.scopes) }),
    ...(body.scoped_teams !== undefined && {
      projects: requireProjects(principal, body.scoped_teams),
    }),
    ...(body.expires_at !== undefined && { expires_at: requireFuture(body.expires_at) }),
  }
  requireOrganizations(principal, body.scoped_organizations)
  return changeKey(db, principal, id, async (tx, row) => {
    const permissions = { ...toPermissions(row), ...changed }
    requireNoEscalation(principal, permissions)
    const after = await updatePersonalApiKey(tx, row, {
      label,
      description: body.description === undefined ? undefined : body.description || null,
      scopes: json(permissions.scopes),
      projects: permissions.projects && json(permissions.projects),
      expires_at: permissions.expires_at,
    })
    return toPersonalApiKey(after)
  })
}

/** Deletes the key; its value is refused from now on. */
export const removePersonalApiKey = (db: Db, principal: Principal, id: string): Promise<void> =>
  changeKey(db, principal, id, (tx, row) => deleteApiKey(tx, row.id))

/** Replaces the value of the key; the old one is refused from now on. */
export const rollPersonalApiKey = (
  db: Db,
  principal: Principal,
  id: string,
): Promise<PersonalApiKey> =>
  changeKey(db, principal, id, async (tx, row) => {
    const value = generateApiKey()
    const secret = { hash: hashApiKey(value), mask: maskApiKey(value) }
    const after = await updatePersonalApiKey(tx, row, { ...secret, last_rolled_at: now() })
    return toPersonalApiKey(after, value)
  })

const changeKey = <T>(
  db: Db,
  principal: Principal,
  id: string,
  change: (tx: Tx, row: ApiKeyRow) => Promise<T>,
): Promise<T> =>
  changeAccess(db, async (tx) => {
    const row = await getRow(tx, principal, id)
    requireNotStronger(principal, { ...toPermissions(row), id: row.id, label: row.label })
    return change(tx, row)
  })

const toPermissions = ({ scopes, projects, expires_at }: ApiKeyRow): KeyPermissions => ({
  scopes: JSON.parse(scopes),
  projects: projects === null ? null : JSON.parse(projects),
  expires_at,
})

function requireScopes(scopes: readonly string[]): KeyScope[] {
  const unknown = scopes.find((scope) => !isKeyScope(scope))
  if (unknown !== undefined) throw invalid('scopes', `Invalid scope: ${unknown}`)
  return [...new Set(scopes as KeyScope[])]
}

function requireProjects(
  { memberOf, projects }: Principal,
  ids: readonly number[] | null | undefined,
) {
  if (!ids || ids.length === 0) return null
  // a limited key is refused other projects later, whether or not they exist
  if (projects || ids.every((id) => memberOf.has(id))) return [...new Set(ids)]
  const detail = 'You must be a member of all teams that you are scoping the key to.'
  throw invalid('scoped_teams', detail)
}

function requireOrganizations(principal: Principal, ids: readonly string[] | null | undefined) {
  for (const id of ids ?? []) {
    const uuid = toUuid(id)
    if (uuid === undefined) throw invalid('scoped_organizations', 'Invalid organization UUID')
    if (uuid === principal.organizationId) continue
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

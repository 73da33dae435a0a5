import { ADMIN_LEVEL, generateApiKey, insertApiKey } from '#server/access/keys.ts'
import type { KeyScope } from '#server/access/scopes.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { requireName } from '#server/http/names.ts'
import { listMemberships } from '../members/store.ts'
import { requireProjects } from '../projects/projects.ts'
import type { UserRow } from '../users/store.ts'
import { getUser } from '../users/users.ts'
import { type ApiKey, deleteApiKey, findApiKey } from './store.ts'

export interface ApiKeyCreate {
  /** E-mail, UUID or ID. */
  readonly user: string
  readonly label: string
  readonly scopes: readonly KeyScope[]
  /** undefined: every project of the user, including later ones. */
  readonly projects: readonly number[] | undefined
  /** ISO 8601 in UTC. */
  readonly expiresAt: string | undefined
}

export async function createApiKey(
  db: Db,
  key: ApiKeyCreate,
): Promise<ApiKey & { readonly value: string }> {
  const label = requireName('label', key.label, 40)
  const scopes = [...new Set(key.scopes)]
  const projects = key.projects && [...new Set(key.projects)]
  if (key.expiresAt !== undefined && key.expiresAt <= now()) {
    throw invalid('expires', `The expiry ${key.expiresAt} is in the past.`)
  }
  return changeAccess(db, async (tx) => {
    const user = await getUser(tx, key.user)
    if (projects) await requireAccess(tx, user, projects)
    const value = generateApiKey()
    const { expiresAt } = key
    const id = await insertApiKey(tx, {
      userId: user.id,
      label,
      scopes,
      projects,
      expiresAt,
      value,
    })
    return { ...(await getApiKey(tx, id)), value }
  })
}

/** Rejects projects that the user has no access to: the key would not work there. */
async function requireAccess(db: Db, user: UserRow, projects: readonly number[]): Promise<void> {
  await requireProjects(db, projects)
  if (user.level >= ADMIN_LEVEL) return
  const memberships = await listMemberships(db, user.id)
  const joined = memberships.map(({ project_id }) => project_id)
  const inaccessible = projects.find((id) => !joined.includes(id))
  if (inaccessible !== undefined) {
    throw invalid('project', `${user.email} is not a member of project ${inaccessible}.`)
  }
}

/** Deletes the key; its value is refused from now on. */
export function revokeApiKey(db: Db, id: string): Promise<ApiKey> {
  return changeAccess(db, async (tx) => {
    const key = await getApiKey(tx, id)
    await deleteApiKey(tx, id)
    return key
  })
}

async function getApiKey(db: Db, id: string): Promise<ApiKey> {
  const key = await findApiKey(db, id)
  if (key) return key
  throw invalid('key', 'There is no key with that ID.', 'does_not_exist')
}

import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { ProjectLevel } from '#model/levels.ts'
import type { Db } from '../db/schema.ts'
import { now, randomText } from '../db/values.ts'
import type { KeyScope } from './scopes.ts'
import type { ViewerRights } from './viewers.ts'

/** The owner of a key or session, with everything that access checks need. */
export interface Principal {
  /** The ID of the key or session. */
  readonly keyId: string
  /** True for a signed-in browser, which has no limits beyond the user's own. */
  readonly isSession: boolean
  readonly userId: number
  readonly organizationId: string
  /** The level in the organization: 1 member, 8 admin, 15 owner. */
  readonly level: number
  readonly scopes: ReadonlySet<string>
  /** undefined if the key is not limited to projects. */
  readonly projects: ReadonlySet<number> | undefined
  /** The user's projects that the key may access. */
  readonly memberOf: ReadonlySet<number>
  /** Those of `memberOf` that the user may only view. */
  readonly viewerOf: ReadonlyMap<number, ViewerRights>
  /** One of `memberOf`. */
  readonly currentProject: number | undefined
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  /** When the session begins to be refused, because its user lacks the second factor that the organization requires. */
  readonly secondFactorDue: string | null
}

export const ADMIN_LEVEL = 8

/** Generates a key of 256 random bits. */
export const generateApiKey = (): string => `phx_${randomText(43)}`

/** A fast hash is enough, because a key is too random to guess, unlike a password. */
export const hashApiKey = (key: string): string => `sha256$${hash('sha256', key)}`

export const maskApiKey = (key: string): string => `${key.slice(0, 4)}...${key.slice(-4)}`

export interface NewApiKey {
  readonly userId: number
  readonly label: string
  readonly description?: string | null
  readonly scopes: readonly KeyScope[]
  readonly projects: readonly number[] | undefined
  readonly expiresAt: string | undefined
  readonly value: string
}

export async function insertApiKey(db: Db, key: NewApiKey): Promise<string> {
  const id = randomText(22)
  await db
    .insertInto('api_keys')
    .values({
      id,
      user_id: key.userId,
      label: key.label,
      description: key.description ?? null,
      hash: hashApiKey(key.value),
      mask: maskApiKey(key.value),
      scopes: JSON.stringify(key.scopes),
      projects: key.projects ? JSON.stringify(key.projects) : null,
      expires_at: key.expiresAt ?? null,
      created_at: now(),
    })
    .execute()
  return id
}

export async function findApiKeyPrincipal(db: Db, key: string): Promise<Principal | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'user_id', 'level', 'scopes', 'projects', 'expires_at', 'last_used_at'])
    .select('current_project_id')
    .where('hash', '=', hashApiKey(key))
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const projects = row.projects ? new Set<number>(JSON.parse(row.projects)) : undefined
  const { rule: _, ...user } = await describeUser(db, row, projects)
  return {
    keyId: row.id,
    isSession: false,
    ...user,
    scopes: new Set<string>(JSON.parse(row.scopes)),
    projects,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    secondFactorDue: null, // keys belong to scripts: docs/decisions/0052
  }
}

interface UserColumns {
  readonly user_id: number
  readonly level: number
  readonly current_project_id: number | null
}

/** Reads the part of a principal that comes from the user, and the rule of the organization. A limited key does not see other projects. */
export async function describeUser(db: Db, user: UserColumns, projects?: ReadonlySet<number>) {
  const all = await listOwnProjects(db, user.user_id, user.level)
  const own = all.filter(({ id }) => !projects || projects.has(id))
  const memberOf = own.map(({ id }) => id)
  const viewed = own.filter(({ access_level }) => access_level === 'viewer')
  const { id, ...rule } = await db
    .selectFrom('organizations')
    .select(['id', 'second_factor_required_at', 'second_factor_grace_days'])
    .executeTakeFirstOrThrow()
  return {
    userId: user.user_id,
    organizationId: id,
    rule,
    level: user.level,
    memberOf: new Set(memberOf),
    viewerOf: new Map(
      viewed.map(({ id, viewers_can_export }) => [id, { canExport: viewers_can_export === 1 }]),
    ),
    currentProject: memberOf.find((id) => id === user.current_project_id) ?? memberOf[0],
  }
}

/** Lists every project for admins and owners, and the joined ones for members, each with the user's level in it. */
function listOwnProjects(db: Db, userId: number, level: number) {
  const projects = db
    .selectFrom('projects')
    .select(['projects.id', 'viewers_can_export'])
    .orderBy('projects.id')
  if (level >= ADMIN_LEVEL) {
    return projects.select(sql<ProjectLevel>`'member'`.as('access_level')).execute()
  }
  return projects
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .where('project_members.user_id', '=', userId)
    .select('access_level')
    .execute()
}

export async function updateApiKeyLastUsed(db: Db, keyId: string): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now() }).where('id', '=', keyId).execute()
}

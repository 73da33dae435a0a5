import type { ProjectLevel } from '#model/levels.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { listUsersWithSecondFactor } from '../second-factor/store.ts'
import type { User } from '../users/schema.ts'
import { toUser, type UserRow } from '../users/store.ts'
import { ORGANIZATION_LEVELS } from './organization-levels.ts'

/** A user as the command line shows them. */
export interface Account {
  readonly id: number
  readonly uuid: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly level: number
  /** Projects that the user was added to. Admins and owners have access to all. */
  readonly projects: readonly number[]
  /** Those of `projects` in which a member of the organization is only a viewer. */
  readonly viewer_of: readonly number[]
  readonly created_at: string
}

/** A user's level in a project that they were added to. */
export interface Membership {
  readonly project_id: number
  readonly access_level: ProjectLevel
}

export interface UserWithProjects {
  readonly user: UserRow
  readonly memberships: readonly Membership[]
  readonly hasSecondFactor: boolean
}

export async function listAccounts(db: Db): Promise<Account[]> {
  const users = await listUsersWithProjects(db)
  return users
    .toSorted((a, b) => a.user.id - b.user.id)
    .map(({ user, memberships }) => toAccount(user, memberships))
}

/** Sorted by name, then e-mail. Excludes removed users. */
export async function listUsersWithProjects(db: Db): Promise<UserWithProjects[]> {
  const users = await db
    .selectFrom('users')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('email_key')
    .execute()
  const members = await db.selectFrom('project_members').selectAll().orderBy('project_id').execute()
  const memberships = Map.groupBy(members, ({ user_id }) => user_id)
  const withFactor = await listUsersWithSecondFactor(db)
  const collator = new Intl.Collator('en')
  return users
    .toSorted((a, b) => collator.compare(fullName(a), fullName(b)))
    .map((user) => ({
      user,
      memberships: memberships.get(user.id) ?? [],
      hasSecondFactor: withFactor.has(user.id),
    }))
}

const fullName = ({ first_name, last_name }: UserRow): string => `${first_name} ${last_name}`.trim()

/** Lists which of the users can access the project, by ID. */
export async function listUsersWithAccess(
  db: Db,
  projectId: number,
  ids: readonly number[],
): Promise<User[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'users.id')
        .on('project_members.project_id', '=', projectId),
    )
    .selectAll('users')
    .where('users.id', 'in', ids)
    .where('removed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('level', '>=', ADMIN_LEVEL), eb('project_members.user_id', 'is not', null)]),
    )
    .orderBy('users.id')
    .execute()
  return rows.map(toUser)
}

/** Lists the e-mail addresses of admins and owners. */
export async function listAdminEmails(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('level', '>=', ADMIN_LEVEL)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ email }) => email)
}

/** Lists the e-mail addresses of owners. */
export async function listOwnerEmails(db: Db): Promise<string[]> {
  const owners = db.selectFrom('users').select('email').where('removed_at', 'is', null)
  const rows = await owners.where('level', '=', ORGANIZATION_LEVELS.owner).orderBy('id').execute()
  return rows.map(({ email }) => email)
}

export interface AddedMember {
  readonly added_at: string
  readonly access_level: ProjectLevel
}

/** Lists when each user was added, and at which level, by user ID. */
export async function listAdded(
  db: Db,
  projectId: number,
): Promise<ReadonlyMap<number, AddedMember>> {
  const members = db.selectFrom('project_members').select(['user_id', 'added_at', 'access_level'])
  const rows = await members.where('project_id', '=', projectId).execute()
  return new Map(rows.map(({ user_id, ...added }) => [user_id, added]))
}

/** Lists the projects that the user was added to. */
export const listMemberships = (db: Db, userId: number): Promise<Membership[]> =>
  db
    .selectFrom('project_members')
    .select(['project_id', 'access_level'])
    .where('user_id', '=', userId)
    .orderBy('project_id')
    .execute()

export async function insertMember(db: Db, userId: number, membership: Membership): Promise<void> {
  const member = { ...membership, user_id: userId, added_at: now() }
  await db.insertInto('project_members').values(member).execute()
}

export async function updateMember(
  db: Db,
  userId: number,
  { project_id, access_level }: Membership,
): Promise<void> {
  await db
    .updateTable('project_members')
    .set({ access_level })
    .where('project_id', '=', project_id)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteMember(db: Db, projectId: number, userId: number): Promise<void> {
  await db
    .deleteFrom('project_members')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

/** The first project that they have access to becomes their current one. */
export async function clearCurrentProject(
  db: Db,
  projectId: number,
  userId: number,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ current_project_id: null })
    .where('id', '=', userId)
    .where('current_project_id', '=', projectId)
    .execute()
}

export const toAccount = (row: UserRow, memberships: readonly Membership[]): Account => ({
  id: row.id,
  uuid: row.uuid,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  level: row.level,
  projects: memberships.map(({ project_id }) => project_id),
  viewer_of: listViewed(row, memberships),
  created_at: row.created_at,
})

/** Lists the projects that a user only views. Admins and owners of the organization are members of all. */
export const listViewed = ({ level }: UserRow, memberships: readonly Membership[]): number[] =>
  level >= ADMIN_LEVEL
    ? []
    : memberships
        .filter(({ access_level }) => access_level === 'viewer')
        .map(({ project_id }) => project_id)

import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { UserRow } from './store.ts'

/** Somebody as those who run the service see them. */
export interface Account {
  readonly id: number
  readonly uuid: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly level: number
  /** Those they were added to. Admins and owners reach the others as well. */
  readonly projects: readonly number[]
  readonly created_at: string
}

/** A user, and the projects they were added to. */
export interface UserWithProjects {
  readonly user: UserRow
  readonly projects: readonly number[]
}

export async function listAccounts(db: Db): Promise<Account[]> {
  const people = await listUsersWithProjects(db)
  return people
    .toSorted((a, b) => a.user.id - b.user.id)
    .map(({ user, projects }) => toAccount(user, projects))
}

/** By name, then e-mail. Nobody who was removed. */
export async function listUsersWithProjects(db: Db): Promise<UserWithProjects[]> {
  const users = await db
    .selectFrom('users')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('email_key')
    .execute()
  const members = await db.selectFrom('project_members').selectAll().orderBy('project_id').execute()
  const projects = Map.groupBy(members, ({ user_id }) => user_id)
  const names = new Intl.Collator('en')
  return users
    .toSorted((a, b) => names.compare(nameOf(a), nameOf(b)))
    .map((user) => ({
      user,
      projects: (projects.get(user.id) ?? []).map(({ project_id }) => project_id),
    }))
}

const nameOf = ({ first_name, last_name }: UserRow): string => `${first_name} ${last_name}`.trim()

/** When each was added, by the user's id. */
export async function listAddedTimes(
  db: Db,
  projectId: number,
): Promise<ReadonlyMap<number, string>> {
  const members = db.selectFrom('project_members').select(['user_id', 'added_at'])
  const rows = await members.where('project_id', '=', projectId).execute()
  return new Map(rows.map(({ user_id, added_at }) => [user_id, added_at]))
}

/** The projects that somebody was added to. */
export async function listMemberships(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('project_members')
    .select('project_id')
    .where('user_id', '=', userId)
    .orderBy('project_id')
    .execute()
  return rows.map(({ project_id }) => project_id)
}

export async function insertMember(db: Db, projectId: number, userId: number): Promise<void> {
  const member = { project_id: projectId, user_id: userId, added_at: now() }
  await db.insertInto('project_members').values(member).execute()
}

export async function deleteMember(db: Db, projectId: number, userId: number): Promise<void> {
  await db
    .deleteFrom('project_members')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

/** Their current project is then the first that they reach. */
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

export const toAccount = (row: UserRow, projects: readonly number[]): Account => ({
  id: row.id,
  uuid: row.uuid,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  level: row.level,
  projects,
  created_at: row.created_at,
})

import type { Selectable, Updateable } from 'kysely'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema } from '#server/db/schema.ts'
import { type Flag, now, randomText, uuid } from '#server/db/values.ts'
import { projectResource } from './fields.ts'
import type { StoredProject } from './schema.ts'

/** `visible`: IDs of the projects that the key can see. */
export async function listProjects(
  db: Db,
  visible: readonly number[],
  { limit, offset }: PageRange,
): Promise<Slice<StoredProject>> {
  const ids = visible.toSorted((a, b) => a - b).slice(offset, offset + limit)
  if (ids.length === 0) return { count: visible.length, results: [] }
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return { count: visible.length, results: rows.map(toProject) }
}

export async function listAllProjects(db: Db): Promise<StoredProject[]> {
  const rows = await db.selectFrom('projects').selectAll().orderBy('id').execute()
  return rows.map(toProject)
}

export async function listProjectIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('projects').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

const LINK_POLICY = [
  'allow_publicly_shared_resources',
  'public_links_require_password',
  'public_link_max_days',
] as const
/** The rules of the organization for its public links. */
export type LinkPolicy = Pick<OrganizationRow, (typeof LINK_POLICY)[number]>

export type OrganizationRow = Selectable<Schema['organizations']>

export const findOrganization = (db: Db): Promise<OrganizationRow | undefined> =>
  db.selectFrom('organizations').selectAll().executeTakeFirst()

export const findLinkPolicy = (db: Db): Promise<LinkPolicy> =>
  db.selectFrom('organizations').select(LINK_POLICY).executeTakeFirstOrThrow()

export async function findProject(db: Db, id: number): Promise<StoredProject | undefined> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toProject(row)
}

export function findProjectByToken(
  db: Db,
  token: string,
): Promise<{ id: number; anonymize_ips: Flag } | undefined> {
  const projects = db.selectFrom('projects').select(['id', 'anonymize_ips'])
  return projects.where('api_token', '=', token).executeTakeFirst()
}

export async function listProjectsWithRetention(
  db: Db,
): Promise<{ id: number; retention_days: number }[]> {
  return db
    .selectFrom('projects')
    .select(['id', 'retention_days'])
    .where('retention_days', 'is not', null)
    .orderBy('id')
    .$narrowType<{ retention_days: number }>()
    .execute()
}

export async function insertProject(
  db: Db,
  organizationId: string,
  name: string,
  timezone = 'UTC',
): Promise<StoredProject> {
  const row = await db
    .insertInto('projects')
    .values({
      uuid: uuid(),
      organization_id: organizationId,
      name,
      api_token: newToken(),
      timezone,
      created_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toProject(row)
}

export const newToken = (): string => `phc_${randomText(43)}`

export async function updateOrganization(
  db: Db,
  { id }: OrganizationRow,
  columns: Updateable<Schema['organizations']>,
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ id, ...columns })
    .execute()
}

export async function countRunningRuns(db: Db, projectId: number): Promise<number> {
  const { count } = await db
    .selectFrom('runs')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('project_id', '=', projectId)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes everything in the project except its events. */
export async function deleteProject(db: Db, id: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ current_project_id: null })
    .where('current_project_id', '=', id)
    .execute()
  await db.deleteFrom('tiles').where('project_id', '=', id).execute() // they reference insights and texts
  await db.deleteFrom('projects').where('id', '=', id).execute()
  await db.insertInto('removed_projects').values({ id, removed_at: now() }).execute()
}

/** Lists projects whose events may still have to be deleted. */
export const listRemovedProjects = (db: Db) =>
  db.selectFrom('removed_projects').selectAll().orderBy('id').execute()

export async function deleteRemovedProject(db: Db, id: number): Promise<void> {
  await db.deleteFrom('removed_projects').where('id', '=', id).execute()
}

export async function updateProject(
  db: Db,
  id: number,
  columns: Updateable<Schema['projects']>,
): Promise<StoredProject> {
  const row = await db
    .updateTable('projects')
    .set({ ...columns, id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toProject(row)
}

const toProject = (row: Selectable<Schema['projects']>): StoredProject =>
  projectResource.toItem(row, undefined)

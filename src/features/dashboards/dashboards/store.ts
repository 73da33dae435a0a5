import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { compileOnce } from '#server/db/compile-once.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { toSearchKey } from '#server/db/search-key.ts'
import type { User } from '#server/features/accounts/users/schema.ts'
import { toUser, type UserColumns } from '#server/features/accounts/users/store.ts'
import { dashboardsWithLevel } from '../access-store.ts'
import type { TileRow } from '../tiles/store.ts'
import { dashboardResource, modifiedItem } from './fields.ts'

type Columns = Selectable<Schema['dashboards']>

/** A dashboard in a list, with the caller's level as a collaborator. */
export type ListedRow = Awaited<ReturnType<ReturnType<typeof dashboardsFor>['execute']>>[number]

/** A dashboard with its creator's columns, or nulls. */
export type DashboardRow = Awaited<ReturnType<typeof selectDashboard>>[number]

/** A dashboard and the tiles it shows. */
export interface DashboardWithTiles {
  readonly row: DashboardRow
  readonly tiles: readonly TileRow[]
}

/** The creator is read with the dashboard, because most dashboards name no other user. */
export const toCreator = (row: DashboardRow): User | undefined =>
  row.created_by === null ? undefined : toUser({ ...row, id: row.created_by } as UserColumns)

export const dashboardsFor = (db: Db, userId: number) =>
  dashboardsWithLevel(db, userId).select(modifiedItem.columns).select('dashboards.version')

interface Actor {
  readonly projectId: number
  readonly userId: number
}

const unlistedColumns = dashboardResource.columns.filter(
  (column) => !(modifiedItem.columns as string[]).includes(column),
)

const selectDashboard = compileOnce((db: Db, userId: number, projectId: number, id: number) =>
  dashboardsFor(db, userId)
    .leftJoin('users', 'users.id', 'dashboards.created_by')
    .select(unlistedColumns)
    .select('dashboards.project_id')
    .select(['users.uuid', 'users.distinct_id', 'users.first_name', 'users.last_name'])
    .select(['users.email', 'users.is_email_verified'])
    .where('dashboards.project_id', '=', projectId)
    .where('dashboards.id', '=', id),
)

export async function findDashboard(
  db: Db,
  { projectId, userId }: Actor,
  id: number,
): Promise<DashboardRow | undefined> {
  const [row] = await selectDashboard(db, userId, projectId, id)
  return row
}

export const findDashboardFilters = (db: Db, projectId: number, id: number) =>
  db
    .selectFrom('dashboards')
    .select(['project_id', 'filters', 'variables'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Finds the oldest dashboard that was created from a template and is not in the trash. */
export async function findDashboardOfTemplate(
  db: Db,
  projectId: number,
  { template, name }: { readonly template: string; readonly name?: string },
): Promise<number | undefined> {
  const rows = db
    .selectFrom('dashboards')
    .select('id')
    .where('project_id', '=', projectId)
    .where('use_template', '=', template)
    .where('deleted', '=', 0)
  const found = await (name === undefined ? rows : rows.where('name', '=', name))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}

const insertRow = compileOnce((db: Db, row: Insertable<Schema['dashboards']>) =>
  db.insertInto('dashboards').values(row).returning('id'),
)

type NewDashboard = Omit<
  Insertable<Schema['dashboards']>,
  'id' | 'version' | 'name_key' | 'search_key' | 'is_shared' | 'last_modified_at'
>

export async function insertDashboard(tx: Tx, dashboard: NewDashboard): Promise<number> {
  const row = {
    ...dashboard,
    ...toKeys(dashboard),
    is_shared: 0 as const,
    last_modified_at: dashboard.created_at,
  }
  const [{ id }] = (await insertRow(tx, row)) as [{ id: number }]
  await countDashboard(tx, dashboard.project_id, dashboard.deleted, 1)
  return id
}

const updateRow = compileOnce(
  (db: Db, row: Updateable<Schema['dashboards']>, projectId: number, id: number) =>
    db
      .updateTable('dashboards')
      .set(row)
      .set({ version: sql<number>`version + 1` })
      .where('project_id', '=', projectId)
      .where('id', '=', id),
)

/** Updates the given columns and increments the version, which invalidates cached responses. */
export async function updateDashboard(
  tx: Tx,
  before: DashboardRow,
  columns: Updateable<Schema['dashboards']>,
): Promise<void> {
  const { project_id, id, deleted } = before
  const hasKeys = (['name', 'description', 'tags'] as const).some((column) => column in columns)
  const keys = hasKeys ? toKeys({ ...before, ...columns }) : {}
  await updateRow(tx, { ...columns, ...keys }, project_id, id)
  if (columns.deleted === undefined || columns.deleted === deleted) return
  await countDashboard(tx, project_id, deleted, -1)
  await countDashboard(tx, project_id, columns.deleted, 1)
}

export const updateLastModified = compileOnce((db: Db, at: string, projectId: number, id: number) =>
  db
    .updateTable('dashboards')
    .set({ last_modified_at: at })
    .where('project_id', '=', projectId)
    .where('id', '=', id),
)

const countLive = compileOnce((db: Db, by: number, projectId: number) =>
  db
    .updateTable('projects')
    .set((eb) => ({ live_dashboards: eb('live_dashboards', '+', by) }))
    .where('id', '=', projectId),
)

const countTrashed = compileOnce((db: Db, by: number, projectId: number) =>
  db
    .updateTable('projects')
    .set((eb) => ({ trashed_dashboards: eb('trashed_dashboards', '+', by) }))
    .where('id', '=', projectId),
)

async function countDashboard(
  tx: Tx,
  projectId: number,
  deleted: 0 | 1,
  by: 1 | -1,
): Promise<void> {
  await (deleted === 1 ? countTrashed : countLive)(tx, by, projectId)
}

/** Returns the columns for sorting and searching. */
const toKeys = (row: Pick<Columns, 'name' | 'description' | 'tags'>) => ({
  name_key: row.name.toLowerCase(),
  search_key: toSearchKey(row),
})

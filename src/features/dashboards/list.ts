import { sql } from 'kysely'
import type { Caller } from '../../access/guard.ts'
import { jsonArrayHasAny } from '../../db/dialect.ts'
import type { Db } from '../../db/schema.ts'
import { flag } from '../../db/values.ts'
import type { Slice, Window } from '../../db/window.ts'
import { invalid } from '../../errors.ts'
import { toId, toUuid } from '../../http/ids.ts'
import { listUsersById } from '../users/store.ts'
import { toListItem } from './representation.ts'
import type { DashboardListItem, DashboardQuery } from './schema.ts'

type Filters = Omit<DashboardQuery, keyof Window>

export async function listDashboards(
  db: Db,
  caller: Caller,
  filters: Filters,
  { limit, offset }: Window,
): Promise<Slice<DashboardListItem>> {
  const rows = await matching(db, caller.projectId, filters)
    .leftJoin('collaborators', (join) =>
      join
        .onRef('collaborators.dashboard_id', '=', 'dashboards.id')
        .on('collaborators.user_id', '=', caller.userId),
    )
    .selectAll('dashboards')
    .select('collaborators.level as collaborator_level')
    .orderBy('pinned', 'desc')
    .orderBy('name_key')
    .orderBy('dashboards.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const people = await listUsersById(
    db,
    rows.map((row) => row.created_by),
  )
  return {
    count: await countDashboards(db, caller.projectId, filters),
    results: rows.map((row) => toListItem(caller, row, people)),
  }
}

/** The usual list is not counted: its length is kept with the project. */
async function countDashboards(db: Db, projectId: number, filters: Filters): Promise<number> {
  const { deleted = false, ...others } = filters
  if (Object.keys(others).length === 0) {
    const kept = await db
      .selectFrom('projects')
      .select(['live_dashboards', 'trashed_dashboards'])
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    return deleted ? kept.trashed_dashboards : kept.live_dashboards
  }
  const { count } = await matching(db, projectId, filters)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function matching(db: Db, projectId: number, filters: Filters) {
  const { deleted = false, search, tags, pinned, created_by, creation_mode } = filters
  let query = db
    .selectFrom('dashboards')
    .where('dashboards.project_id', '=', projectId)
    .where('deleted', '=', flag(deleted))
  if (search) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    query = query.where((eb) => sql`${eb.ref('search_key')} like ${pattern} escape '\\'`)
  }
  if (tags !== undefined) {
    query = query.where((eb) => jsonArrayHasAny(db, eb.ref('tags'), [tags].flat()))
  }
  if (pinned !== undefined) query = query.where('pinned', '=', flag(pinned))
  if (creation_mode) query = query.where('creation_mode', '=', creation_mode)
  if (created_by !== undefined) {
    const { id, uuid } = toPerson(created_by)
    query = query.where('created_by', 'in', (eb) =>
      eb
        .selectFrom('users')
        .select('users.id')
        .where((user) => user.or([user('users.id', '=', id), user('users.uuid', '=', uuid)])),
    )
  }
  return query
}

function toPerson(text: string): { id: number; uuid: string } {
  const id = toId(text)
  const uuid = toUuid(text)
  if (id === undefined && uuid === undefined) {
    throw invalid('created_by', 'Must be the id or the UUID of a user.')
  }
  return { id: id ?? 0, uuid: uuid ?? '' }
}

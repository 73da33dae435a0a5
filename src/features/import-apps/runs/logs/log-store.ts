import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db, Schema } from '#server/db/schema.ts'
import type { Slice, Window } from '#server/db/window.ts'
import type { LogEntry, LogQuery } from '../schema.ts'

/** How many lines of a config are kept. */
const LINES_KEPT = 10_000
/** Both databases limit how many values a statement may hold: seven for each line. */
const LINES_AT_A_TIME = 100

export type NewLogLine = Omit<Selectable<Schema['app_logs']>, 'id'>

/** Lines of a config that was removed meanwhile are of no use to anybody. */
export async function insertLogs(db: Db, lines: readonly NewLogLine[]): Promise<void> {
  const existing = await listExisting(db, new Set(lines.map(({ config_id }) => config_id)))
  const kept = lines.filter(({ config_id }) => existing.has(config_id))
  for (let start = 0; start < kept.length; start += LINES_AT_A_TIME) {
    const some = kept.slice(start, start + LINES_AT_A_TIME)
    await db.insertInto('app_logs').values(some).execute()
  }
}

async function listExisting(db: Db, configIds: ReadonlySet<number>): Promise<ReadonlySet<number>> {
  if (configIds.size === 0) return configIds
  const rows = await db
    .selectFrom('plugin_configs')
    .select('id')
    .where('id', 'in', [...configIds])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function listLogs(
  db: Db,
  configId: number,
  filter: LogQuery,
  { limit, offset }: Window,
): Promise<Slice<LogEntry>> {
  const logs = matching(db, configId, filter)
  const rows = await logs.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { count } = await logs
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), results: rows.map(toLogEntry) }
}

function matching(db: Db, configId: number, { type_filter, search, run, after, before }: LogQuery) {
  let logs = db.selectFrom('app_logs').where('config_id', '=', configId)
  if (type_filter !== undefined) logs = logs.where('type', 'in', [type_filter].flat())
  if (run !== undefined) logs = logs.where('run_id', '=', run.toLowerCase())
  if (after !== undefined) logs = logs.where('created_at', '>', toUtc(after))
  if (before !== undefined) logs = logs.where('created_at', '<', toUtc(before))
  if (search !== undefined) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    logs = logs.where(sql<SqlBool>`lower(message) like ${pattern} escape '\\'`)
  }
  return logs
}

const toUtc = (text: string): string => new Date(text).toISOString()

export async function listLogsSince(
  db: Db,
  configId: number,
  id: number,
  limit: number,
): Promise<LogEntry[]> {
  const rows = await db
    .selectFrom('app_logs')
    .selectAll()
    .where('config_id', '=', configId)
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toLogEntry)
}

export async function findLastLogId(db: Db, configId: number): Promise<number> {
  const { last } = await db
    .selectFrom('app_logs')
    .select((eb) => eb.fn.max('id').as('last'))
    .where('config_id', '=', configId)
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

/** All but the newest lines of each config. */
export async function pruneLogs(db: Db): Promise<void> {
  const long = await db
    .selectFrom('app_logs')
    .select('config_id')
    .groupBy('config_id')
    .having((eb) => eb(eb.fn.countAll(), '>', LINES_KEPT))
    .execute()
  for (const { config_id } of long) {
    await db
      .deleteFrom('app_logs')
      .where('config_id', '=', config_id)
      .where('id', '<=', (eb) =>
        eb
          .selectFrom('app_logs')
          .select('id')
          .where('config_id', '=', config_id)
          .orderBy('id', 'desc')
          .limit(1)
          .offset(LINES_KEPT),
      )
      .execute()
  }
}

const toLogEntry = (row: Selectable<Schema['app_logs']>): LogEntry => ({
  id: row.id,
  team_id: row.project_id,
  plugin_config_id: row.config_id,
  run_id: row.run_id,
  timestamp: row.created_at,
  source: row.source,
  type: row.type,
  message: row.message,
})

import { type Selectable, type SqlBool, sql } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema } from '#server/db/schema.ts'
import type { LogEntry, LogQuery } from '../schema.ts'

/** The number of lines kept for each config. */
const MAX_LINES = 10_000
/** Both databases limit the values in a statement, and a line has seven. */
const LINES_PER_INSERT = 100

export type NewLogLine = Omit<Selectable<Schema['app_logs']>, 'id'>

/** Drops lines of configs that have been deleted in the meantime. */
export async function insertLogs(db: Db, lines: readonly NewLogLine[]): Promise<void> {
  const existing = await listExistingConfigIds(db, new Set(lines.map(({ config_id }) => config_id)))
  const kept = lines.filter(({ config_id }) => existing.has(config_id))
  for (let start = 0; start < kept.length; start += LINES_PER_INSERT) {
    const some = kept.slice(start, start + LINES_PER_INSERT)
    await db.insertInto('app_logs').values(some).execute()
  }
}

async function listExistingConfigIds(
  db: Db,
  configIds: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
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
  { limit, offset }: PageRange,
): Promise<Slice<LogEntry>> {
  const logs = selectMatching(db, configId, filter)
  const rows = await logs.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const count = await countRows(logs)
  return { count, results: rows.map(toLogEntry) }
}

function selectMatching(
  db: Db,
  configId: number,
  { type_filter, search, run, after, before }: LogQuery,
) {
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

/** Deletes all but the newest lines of each config. */
export async function pruneLogs(db: Db): Promise<void> {
  const overfull = await db
    .selectFrom('app_logs')
    .select('config_id')
    .groupBy('config_id')
    .having((eb) => eb(eb.fn.countAll(), '>', MAX_LINES))
    .execute()
  for (const { config_id } of overfull) {
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
          .offset(MAX_LINES),
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

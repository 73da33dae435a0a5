import type { ImportRows } from '#server/analytics/queries/sql/imports.ts'
import type { Db } from '#server/db/schema.ts'
import { flag } from '#server/db/values.ts'
import { listPluginsById } from '../plugins/store.ts'
import { listHealth } from './health.ts'
import { listLiveConfigs } from './store.ts'

/** Every query reads them all. Older runs are deleted after 30 days. */
const MAX_RUNS = 10_000
const MAX_CONFIGS = 1000
const MAX_MESSAGE_LENGTH = 300

/** Reads what the SQL tables `import_configs` and `import_runs` show: never settings, and no test runs. */
export async function readImportRows(db: Db, projectId: number): Promise<ImportRows> {
  const configs = (await listLiveConfigs(db, projectId)).slice(0, MAX_CONFIGS)
  const ids = configs.map(({ plugin_id }) => plugin_id)
  const plugins = await listPluginsById(db, ids)
  const { results } = await listHealth(db, projectId, { limit: MAX_CONFIGS, offset: 0 })
  const health = new Map(results.map((each) => [each.config_id, each]))
  return {
    configs: configs.map(({ id, plugin_id, enabled, created_at }) => ({
      id,
      name: health.get(id)?.name ?? '',
      app: plugins.get(plugin_id)?.name ?? '',
      enabled: enabled === 1,
      state: health.get(id)?.state ?? '',
      since: health.get(id)?.since ?? null,
      message: shorten(health.get(id)?.message ?? ''),
      last_success_at: health.get(id)?.last_success_at ?? null,
      next_run_at: health.get(id)?.next_run_at ?? null,
      failures_in_a_row: health.get(id)?.failures_in_a_row ?? 0,
      created_at,
    })),
    runs: await listRuns(db, projectId),
  }
}

async function listRuns(db: Db, projectId: number): Promise<ImportRows['runs']> {
  const rows = await db
    .selectFrom('runs')
    .innerJoin('plugin_configs as config', 'config.id', 'runs.config_id')
    .select(['runs.id', 'runs.config_id', 'runs.name', 'runs.state', 'runs.message'])
    .select(['runs.created_at', 'runs.started_at', 'runs.finished_at', 'runs.attempt'])
    .select(['runs.events', 'runs.new_events', 'runs.skipped'])
    .where('runs.project_id', '=', projectId)
    .where('runs.dry_run', '=', flag(false))
    .where('config.deleted', '=', 0)
    .orderBy('runs.created_at', 'desc')
    .orderBy('runs.id')
    .limit(MAX_RUNS)
    .execute()
  return rows.map((row) => ({ ...row, message: shorten(row.message) }))
}

/** PostgreSQL's text has no NUL, and the tables need a character that is in none of their texts. */
const shorten = (text: string): string => text.slice(0, MAX_MESSAGE_LENGTH)

/** Returns a text that changes with the import tables of a project, except with the time alone. */
export async function readImportRevision(db: Db, projectId: number): Promise<string> {
  const runs = await db
    .selectFrom('runs')
    .select(({ fn }) => [
      fn.countAll().as('count'),
      fn.max('created_at').as('created'),
      fn.max('finished_at').as('finished'),
    ])
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const configs = await db
    .selectFrom('plugin_configs')
    .select(({ fn }) => [fn.countAll().as('count'), fn.max('updated_at').as('updated')])
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return [runs.count, runs.created, runs.finished, configs.count, configs.updated].join(' ')
}

import type { Db } from '#server/db/schema.ts'
import { flag } from '#server/db/values.ts'
import type { ConfigRow } from '../configs/store.ts'

type EndState = 'succeeded' | 'failed'

/** Selects the ended runs of a config, but no test runs and no backfills. Written so that a partial index serves each state. */
const selectEnded = (db: Db, configId: number, state: EndState) =>
  db
    .selectFrom('runs')
    .where('config_id', '=', configId)
    .where('state', '=', state)
    .where('dry_run', '=', flag(false))
    .where('backfill_id', 'is', null)

const findLast = (db: Db, configId: number, state: EndState) =>
  selectEnded(db, configId, state)
    .select(['created_at', 'finished_at', 'events', 'skipped', 'message', 'schema_change'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The ends of a config's runs that tell how it is doing. */
export interface RunHistory {
  readonly lastSuccess: Awaited<ReturnType<typeof findLast>>
  readonly lastFailure: Awaited<ReturnType<typeof findLast>>
  readonly failuresInARow: number
  /** When the first of these failures ended, or the first success after the last failure. */
  readonly since: string | null
}

export async function readHistory(db: Db, configId: number): Promise<RunHistory> {
  const lastSuccess = await findLast(db, configId, 'succeeded')
  const lastFailure = await findLast(db, configId, 'failed')
  const failed = await countAfter(db, configId, 'failed', lastSuccess?.created_at)
  const { since } =
    failed.count > 0 ? failed : await countAfter(db, configId, 'succeeded', lastFailure?.created_at)
  return { lastSuccess, lastFailure, failuresInARow: failed.count, since }
}

async function countAfter(
  db: Db,
  configId: number,
  state: EndState,
  after = '',
): Promise<{ readonly count: number; readonly since: string | null }> {
  const { count, since } = await selectEnded(db, configId, state)
    .where('created_at', '>', after)
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('finished_at').as('since')])
    .executeTakeFirstOrThrow()
  return { count: Number(count), since }
}

/** Lists the configs of a project that are not in the trash, in their order. */
export function listLiveConfigs(db: Db, projectId: number): Promise<ConfigRow[]> {
  return db
    .selectFrom('plugin_configs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('deleted', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import type { ReplayRange } from './schema.ts'

/** Tells whether this many requests wait. */
export async function hasWaiting(db: Db, configId: number, count: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_requests')
    .select('id')
    .where('config_id', '=', configId)
    .where('state', '=', sql.lit('waiting'))
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the IDs of the first requests that wait, in the order in which they came. */
export async function listWaitingIds(db: Db, configId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('webhook_requests')
    .select('id')
    .where('config_id', '=', configId)
    .where('state', '=', sql.lit('waiting'))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The end of a request. */
export interface HandledRequest {
  readonly id: number
  /** Why the app failed on it; undefined if it did not. */
  readonly problem: string | undefined
}

/** Stores the ends of requests. */
export async function endRequests(
  tx: Tx,
  run_id: string,
  handled: readonly HandledRequest[],
): Promise<void> {
  const end = (ids: readonly number[], state: 'done' | 'failed', message: string) =>
    tx
      .updateTable('webhook_requests')
      .set({ state, message, run_id })
      .where('id', 'in', ids)
      .execute()
  const done = handled.filter(({ problem }) => problem === undefined).map(({ id }) => id)
  if (done.length > 0) await end(done, 'done', '')
  for (const { id, problem } of handled)
    if (problem !== undefined) await end([id], 'failed', problem)
}

/** Lets requests wait again, and returns their number. */
export async function requeueRequests(
  tx: Tx,
  configId: number,
  { id, from, to, state }: ReplayRange & { readonly id?: number },
): Promise<number> {
  let requests = tx
    .updateTable('webhook_requests')
    .set({ state: 'waiting', message: '' })
    .where('config_id', '=', configId)
    .where('state', '<>', 'waiting')
  if (id !== undefined) requests = requests.where('id', '=', id)
  if (from !== undefined)
    requests = requests.where('received_at', '>=', new Date(from).toISOString())
  if (to !== undefined) requests = requests.where('received_at', '<', new Date(to).toISOString())
  if (state !== undefined) requests = requests.where('state', '=', state)
  const { numUpdatedRows } = await requests.executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Lists the enabled configs with requests that wait. */
export const listWaitingConfigs = (db: Db) =>
  db
    .selectFrom('plugin_configs as config')
    .select(['config.id', 'config.project_id', 'config.plugin_id'])
    .where('config.enabled', '=', 1)
    .where('config.deleted', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_requests as request')
          .select('request.id')
          .whereRef('request.config_id', '=', 'config.id')
          .where('request.state', '=', sql.lit('waiting')),
      ),
    )
    .orderBy('config.id')
    .execute()

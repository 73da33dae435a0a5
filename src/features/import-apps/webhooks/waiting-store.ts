import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import type { ReplayRange } from './schema.ts'

/** Tells whether this many requests wait. */
export async function hasWaiting(db: Db, configId: number, count: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_states')
    .select('id')
    .where('config_id', '=', configId)
    .where('state', '=', sql.lit('waiting'))
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the first requests that wait, in the order in which they came. */
export const listWaiting = (
  db: Db,
  configId: number,
  limit: number,
): Promise<{ id: number; size: number }[]> =>
  db
    .selectFrom('webhook_states as status')
    .innerJoin('webhook_requests as request', 'request.id', 'status.id')
    .select(['status.id', 'request.size'])
    .where('status.config_id', '=', configId)
    .where('status.state', '=', sql.lit('waiting'))
    .orderBy('status.id')
    .limit(limit)
    .execute()

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
      .updateTable('webhook_states')
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
    .selectFrom('webhook_requests')
    .select('webhook_requests.id')
    .where('config_id', '=', configId)
  if (from !== undefined)
    requests = requests.where('received_at', '>=', new Date(from).toISOString())
  if (to !== undefined) requests = requests.where('received_at', '<', new Date(to).toISOString())
  let states = tx
    .updateTable('webhook_states')
    .set({ state: 'waiting', message: '' })
    .where('config_id', '=', configId)
    .where('state', '<>', 'waiting')
  if (id !== undefined) states = states.where('id', '=', id)
  if (from !== undefined || to !== undefined) states = states.where('id', 'in', requests)
  if (state !== undefined) states = states.where('state', '=', state)
  const { numUpdatedRows } = await states.executeTakeFirst()
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
        selectFrom('webhook_states as request')
          .select('request.id')
          .whereRef('request.config_id', '=', 'config.id')
          .where('request.state', '=', sql.lit('waiting')),
      ),
    )
    .orderBy('config.id')
    .execute()

import type { Insertable, Selectable } from 'kysely'
import { timeOfDatabase } from '#server/db/dialect.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { json, now, uuid } from '#server/db/values.ts'
import type { Slice, Window } from '#server/db/window.ts'
import type { Run } from './schema.ts'

export type RunRow = Selectable<Schema['runs']>

const runsOf = (db: Db, projectId: number, configId: number) =>
  db.selectFrom('runs').where('project_id', '=', projectId).where('config_id', '=', configId)

export async function listRuns(
  db: Db,
  projectId: number,
  configId: number,
  window: Window,
): Promise<Slice<Run>> {
  const { count } = await runsOf(db, projectId, configId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), results: await listNewestRuns(db, projectId, configId, window) }
}

/** The same without the total, which takes the longer the more there are. */
export async function listNewestRuns(
  db: Db,
  projectId: number,
  configId: number,
  { limit, offset }: Window,
): Promise<Run[]> {
  const rows = await runsOf(db, projectId, configId)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toRun)
}

export function findRunRow(
  db: Db,
  projectId: number,
  configId: number,
  id: string,
): Promise<RunRow | undefined> {
  return runsOf(db, projectId, configId).selectAll().where('id', '=', id).executeTakeFirst()
}

export type NewRun = Pick<
  Insertable<Schema['runs']>,
  'project_id' | 'config_id' | 'kind' | 'name' | 'created_by'
> & {
  readonly message?: string
  /** undefined: none, which is not the same as an empty one. */
  readonly payload: unknown
  readonly operation?: string
  readonly run_at?: string
  readonly retry_of?: string
  readonly once_key?: string
}

/** undefined: a run with the same `once_key` is there already. */
export async function insertRun(db: Db, run: NewRun): Promise<RunRow | undefined> {
  const at = now()
  return db
    .insertInto('runs')
    .values({
      id: uuid(),
      operation: 'start',
      message: 'Waiting for a worker.',
      run_at: timeOfDatabase(db),
      ...run,
      payload: json(run.payload ?? null),
      state: 'queued',
      created_at: at,
    })
    .onConflict((conflict) => conflict.column('once_key').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function queueRun(tx: Tx, run: Omit<NewRun, 'once_key'>): Promise<Run> {
  return toRun((await insertRun(tx, run)) as RunRow)
}

export const toRun = (row: RunRow): Run => ({
  id: row.id,
  config_id: row.config_id,
  kind: row.kind,
  name: row.name,
  payload: JSON.parse(row.payload),
  operation: row.operation,
  state: row.state,
  message: row.message,
  progress: { done: row.done, total: row.total, message: row.progress },
  events: row.events,
  attempt: row.attempt,
  retry_of: row.retry_of,
  created_by: row.created_by,
  created_at: row.created_at,
  run_at: row.run_at || null, // empty in runs of earlier versions
  started_at: row.started_at,
  finished_at: row.finished_at,
})

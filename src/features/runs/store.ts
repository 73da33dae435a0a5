import type { Insertable, Selectable } from 'kysely'
import { timeOfDatabase } from '../../db/dialect.ts'
import type { Db, Schema, Tx } from '../../db/schema.ts'
import { json, now, uuid } from '../../db/values.ts'
import type { Slice, Window } from '../../db/window.ts'
import type { Run } from './schema.ts'

export type RunRow = Selectable<Schema['runs']>

export async function listRuns(
  db: Db,
  projectId: number,
  configId: number,
  { limit, offset }: Window,
): Promise<Slice<Run>> {
  const runs = db
    .selectFrom('runs')
    .where('project_id', '=', projectId)
    .where('config_id', '=', configId)
  const rows = await runs
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { count } = await runs
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), results: rows.map(toRun) }
}

export function findRunRow(
  db: Db,
  projectId: number,
  configId: number,
  id: string,
): Promise<RunRow | undefined> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('config_id', '=', configId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export type NewRun = Pick<
  Insertable<Schema['runs']>,
  'project_id' | 'config_id' | 'kind' | 'name' | 'message' | 'created_by'
> & {
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

import type { Insertable, Selectable } from 'kysely'
import type { Db, Schema, Tx } from '../../db/schema.ts'
import type { Slice, Window } from '../../db/window.ts'
import type { Run } from './schema.ts'

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

export async function findRun(
  db: Db,
  projectId: number,
  configId: number,
  id: string,
): Promise<Run | undefined> {
  const row = await db
    .selectFrom('runs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('config_id', '=', configId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRun(row)
}

export async function insertRun(tx: Tx, run: Insertable<Schema['runs']>): Promise<Run> {
  const row = await tx.insertInto('runs').values(run).returningAll().executeTakeFirstOrThrow()
  return toRun(row)
}

export interface Outcome {
  readonly succeeded: number
  readonly finished: number
}

/** By config: how many of the runs that finished since then succeeded, of how many. */
export async function listOutcomes(
  db: Db,
  projectId: number,
  configIds: readonly number[],
  since: string,
): Promise<ReadonlyMap<number, Outcome>> {
  const rows = await db
    .selectFrom('runs')
    .select('config_id')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('state', '=', 'succeeded').as('succeeded'),
      eb.fn.countAll<number>().as('finished'),
    ])
    .where('project_id', '=', projectId)
    .where('config_id', 'in', configIds)
    .where('finished_at', '>=', since)
    .where('state', 'in', ['succeeded', 'failed'])
    .groupBy('config_id')
    .execute()
  return new Map(rows.map(({ config_id, ...outcome }) => [config_id, outcome]))
}

/** By config: what its newest run that succeeded or failed said, if it failed. */
export async function listFailures(
  db: Db,
  projectId: number,
  configIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('plugin_configs as config')
    .select((eb) => [
      'config.id',
      // one step in the index of a config's runs for each
      eb
        .selectFrom('runs')
        .select((run) =>
          run.case().when('state', '=', 'failed').then(run.ref('message')).end().as('failure'),
        )
        .whereRef('runs.config_id', '=', 'config.id')
        .whereRef('runs.project_id', '=', 'config.project_id')
        .where('state', 'in', ['succeeded', 'failed'])
        .orderBy('runs.created_at', 'desc')
        .orderBy('runs.id', 'desc')
        .limit(1)
        .as('failure'),
    ])
    .where('config.project_id', '=', projectId)
    .where('config.id', 'in', configIds)
    .execute()
  return new Map(rows.flatMap(({ id, failure }) => (failure === null ? [] : [[id, failure]])))
}

const toRun = (row: Selectable<Schema['runs']>): Run => ({
  id: row.id,
  config_id: row.config_id,
  kind: row.kind,
  name: row.name,
  payload: JSON.parse(row.payload),
  operation: row.operation,
  state: row.state,
  message: row.message,
  created_by: row.created_by,
  created_at: row.created_at,
  started_at: row.started_at,
  finished_at: row.finished_at,
})

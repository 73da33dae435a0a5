import type { Db } from '#server/db/schema.ts'

export interface SuccessCount {
  readonly succeeded: number
  readonly finished: number
}

/** Counts successful and finished runs and deliveries since a time, by config. Deliveries are counted by the hour. */
export async function countSuccesses(
  db: Db,
  projectId: number,
  configIds: readonly number[],
  since: string,
): Promise<ReadonlyMap<number, SuccessCount>> {
  const outcomes = new Map<number, SuccessCount>()
  const add = (rows: readonly (SuccessCount & { config_id: number })[]) => {
    for (const { config_id, succeeded, finished } of rows) {
      const sum = outcomes.get(config_id) ?? { succeeded: 0, finished: 0 }
      outcomes.set(config_id, {
        succeeded: sum.succeeded + Number(succeeded),
        finished: sum.finished + Number(finished),
      })
    }
  }
  add(await countRuns(db, projectId, configIds, since))
  add(await countDeliveries(db, configIds, since))
  return outcomes
}

const countRuns = (db: Db, projectId: number, configIds: readonly number[], since: string) =>
  db
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
    .where('dry_run', '=', 0)
    .groupBy('config_id')
    .execute()

const countDeliveries = (db: Db, configIds: readonly number[], since: string) =>
  db
    .selectFrom('app_metrics')
    .select('config_id')
    .select((eb) => [
      eb.fn.sum<number>('deliveries_succeeded').as('succeeded'),
      eb.fn
        .sum<number>(eb('deliveries_succeeded', '+', eb.ref('deliveries_failed')))
        .as('finished'),
    ])
    .where('config_id', 'in', configIds)
    .where('hour', '>=', since)
    .groupBy('config_id')
    .having((eb) =>
      eb(eb.fn.sum(eb('deliveries_succeeded', '+', eb.ref('deliveries_failed'))), '>', 0),
    )
    .execute()

/** Lists the message of each config's last finished run, by config, if that run failed. */
export async function listLastFailures(
  db: Db,
  projectId: number,
  configIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('plugin_configs as config')
    .select((eb) => [
      'config.id',
      // one lookup in the index of runs for each config
      eb
        .selectFrom('runs')
        .select((run) =>
          run.case().when('state', '=', 'failed').then(run.ref('message')).end().as('failure'),
        )
        .whereRef('runs.config_id', '=', 'config.id')
        .whereRef('runs.project_id', '=', 'config.project_id')
        .where('state', 'in', ['succeeded', 'failed'])
        .where('dry_run', '=', 0)
        .where('backfill_id', 'is', null)
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

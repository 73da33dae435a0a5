import { SET_UP, setsUpJobs } from '#model/app-limitation.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { Capabilities } from '#server/runtime/contract.ts'
import type { Schedule } from '../schedules/schema.ts'
import { UNFINISHED } from './store.ts'

export interface SchedulableConfig {
  readonly id: number
  readonly project_id: number
  readonly plugin_id: number
  readonly scheduledTasks: readonly string[]
  /** Whether its app can start jobs when it is set up. */
  readonly setsUpJobs: boolean
  /** Ticks up to this time do not fire. */
  readonly scheduled_from: string
  readonly app_updated_at: string
  /** null: the times of its app. */
  readonly schedule: Schedule | null
}

/** Lists the enabled configs of all projects with the scheduled tasks of their apps. */
export async function listSchedulableConfigs(db: Db): Promise<SchedulableConfig[]> {
  const rows = await db
    .selectFrom('plugin_configs as config')
    .innerJoin('plugins as plugin', 'plugin.id', 'config.plugin_id')
    .select(['config.id', 'config.project_id', 'config.plugin_id', 'config.scheduled_from'])
    .select(['config.schedule', 'plugin.capabilities', 'plugin.updated_at as app_updated_at'])
    .where('config.enabled', '=', 1)
    .where('config.deleted', '=', 0)
    .orderBy('config.id') // the same order in all workers prevents deadlocks
    .execute()
  return rows.map(({ capabilities, schedule, ...row }) => {
    const parsed: Partial<Capabilities> = JSON.parse(capabilities)
    const { scheduled_tasks: scheduledTasks = [] } = parsed
    return {
      ...row,
      scheduledTasks,
      setsUpJobs: setsUpJobs({ capabilities: parsed }),
      schedule: schedule === null ? null : JSON.parse(schedule),
    }
  })
}

export function listUnfinishedRuns(db: Db) {
  return db
    .selectFrom('runs')
    .select(['config_id', 'name'])
    .distinct()
    .where('state', 'in', UNFINISHED)
    .execute()
}

export const listTicks = (db: Db) => db.selectFrom('schedule_ticks').selectAll().execute()

export const listConfigTicks = (db: Db, configIds: readonly number[]) =>
  db.selectFrom('schedule_ticks').selectAll().where('config_id', 'in', configIds).execute()

export interface TickMove {
  readonly configId: number
  readonly task: string
  /** The remembered tick, or undefined if there is none. */
  readonly from: string | undefined
  readonly to: string
}

/** Remembers a tick. Returns false if another worker has remembered one first. */
export async function moveTick(tx: Tx, { configId, task, from, to }: TickMove): Promise<boolean> {
  if (from === undefined) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('schedule_ticks')
      .values({ config_id: configId, task, tick: to })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return (numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  const { numUpdatedRows } = await tx
    .updateTable('schedule_ticks')
    .set({ tick: to })
    .where('config_id', '=', configId)
    .where('task', '=', task)
    .where('tick', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Remembers a tick, whichever was remembered before. */
export async function rememberTick(
  tx: Tx,
  configId: number,
  task: string,
  tick: string,
): Promise<void> {
  await tx
    .insertInto('schedule_ticks')
    .values({ config_id: configId, task, tick })
    .onConflict((conflict) => conflict.columns(['config_id', 'task']).doUpdateSet({ tick }))
    .execute()
}

export async function hasQueuedSetUp(tx: Tx, configId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('runs')
    .select('id')
    .where('config_id', '=', configId)
    .where('kind', '=', 'schedule')
    .where('name', '=', SET_UP)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets the ticks of a config, which fire again after its `scheduled_from`. */
export async function deleteTicks(tx: Tx, configId: number): Promise<void> {
  await tx.deleteFrom('schedule_ticks').where('config_id', '=', configId).execute()
}

/** Forgets the ticks of its tasks and jobs; its app is not set up again. */
export async function deleteRunTicks(tx: Tx, configId: number): Promise<void> {
  await tx
    .deleteFrom('schedule_ticks')
    .where('config_id', '=', configId)
    .where('task', '<>', SET_UP)
    .execute()
}

import type { Db } from '#server/db/schema.ts'
import { insertRun } from '../store.ts'

const MINUTE_MS = 60_000

/** The tasks that fire, and how often. Whatever else an app calls `runEvery...` is shown but never fires. */
const PERIODS: Readonly<Record<string, number>> = {
  runEveryMinute: MINUTE_MS,
  runEveryHour: 60 * MINUTE_MS,
  runEveryDay: 24 * 60 * MINUTE_MS,
}

export const startOfMinute = (time: number): number => Math.floor(time / MINUTE_MS) * MINUTE_MS

/** Which tasks fire at this minute: all clocks are UTC. */
export const listTasksAt = (minute: number): string[] =>
  Object.keys(PERIODS).filter((task) => minute % (PERIODS[task] as number) === 0)

/** A tick that waited longer than its own period is of no use any more: the next one is there. */
export const isStale = (task: string, queuedAt: string, time: number): boolean =>
  time - Date.parse(queuedAt) > (PERIODS[task] ?? Number.POSITIVE_INFINITY)

/**
 * Queues what fires at this minute and returns how many runs that made. Any number of servers may call it for the same
 * minute: a tick has one key, and the key is unique.
 */
export async function queueScheduledRuns(db: Db, minute: number): Promise<number> {
  const tasks = listTasksAt(minute)
  const configs = await listScheduled(db, tasks)
  if (configs.length === 0) return 0
  return db.transaction().execute(async (tx) => {
    let queued = 0
    for (const { id, project_id, task } of configs) {
      const run = await insertRun(tx, {
        project_id,
        config_id: id,
        kind: 'schedule',
        name: task,
        payload: undefined,
        created_by: null,
        once_key: `${id} ${task} ${new Date(minute).toISOString()}`,
      })
      if (run) queued++
    }
    return queued
  })
}

interface Scheduled {
  readonly id: number
  readonly project_id: number
  readonly task: string
}

/** Those that fire now, without those whose last tick is still waiting or running. */
async function listScheduled(db: Db, tasks: readonly string[]): Promise<Scheduled[]> {
  const configs = await db
    .selectFrom('plugin_configs as config')
    .innerJoin('plugins as plugin', 'plugin.id', 'config.plugin_id')
    .select(['config.id', 'config.project_id', 'plugin.capabilities'])
    .where('config.enabled', '=', 1)
    .where('config.deleted', '=', 0)
    .execute()
  const unfinished = await listUnfinishedTicks(db)
  return configs.flatMap(({ id, project_id, capabilities }) => {
    const { scheduled_tasks = [] } = JSON.parse(capabilities)
    return tasks
      .filter((task) => scheduled_tasks.includes(task) && !unfinished.has(`${id} ${task}`))
      .map((task) => ({ id, project_id, task }))
  })
}

async function listUnfinishedTicks(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('runs')
    .select(['config_id', 'name'])
    .where('kind', '=', 'schedule')
    .where('state', 'in', ['queued', 'running'])
    .execute()
  return new Set(rows.map(({ config_id, name }) => `${config_id} ${name}`))
}

import { changeUncached } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { insertRun } from '../store.ts'
import { listSchedulableConfigs, listUnfinishedScheduledRuns } from './schedule-store.ts'

const MINUTE_MS = 60_000

/** The scheduled tasks and their periods. Other names that begin with `runEvery` are listed but never run. */
const PERIODS: Readonly<Record<string, number>> = {
  runEveryMinute: MINUTE_MS,
  runEveryHour: 60 * MINUTE_MS,
  runEveryDay: 24 * 60 * MINUTE_MS,
}

/** Returns the tasks that are due at this minute, in UTC. */
export const listTasksAt = (minute: number): string[] =>
  Object.keys(PERIODS).filter((task) => minute % (PERIODS[task] as number) === 0)

/** Returns whether a scheduled run has waited longer than its period, so that the next one is already due. */
export const isStale = (task: string, queuedAt: string, time: number): boolean =>
  time - Date.parse(queuedAt) > (PERIODS[task] ?? Number.POSITIVE_INFINITY)

/** Returns a task to be polled: it queues the scheduled runs once a minute, from the next minute on. */
export function createScheduler(db: Db, wakeUps: WakeUps): () => Promise<void> {
  let lastMinute = startOfMinute(Date.now())
  return async () => {
    const minute = startOfMinute(Date.now())
    if (minute <= lastMinute) return
    lastMinute = minute
    if ((await queueScheduledRuns(db, minute)) > 0) wakeUps.notify()
  }
}

const startOfMinute = (time: number): number => Math.floor(time / MINUTE_MS) * MINUTE_MS

/**
 * Queues the scheduled runs of this minute and returns their number. Any number of servers may call it for the same
 * minute: each run has a unique key made of config, task and minute.
 */
export async function queueScheduledRuns(db: Db, minute: number): Promise<number> {
  const tasks = await listDueTasks(db, minute)
  if (tasks.length === 0) return 0
  return changeUncached(db, async (tx) => {
    let queued = 0
    for (const { configId, projectId, task } of tasks) {
      const run = await insertRun(tx, {
        project_id: projectId,
        config_id: configId,
        kind: 'schedule',
        name: task,
        payload: undefined,
        created_by: null,
        once_key: `${configId} ${task} ${new Date(minute).toISOString()}`,
      })
      if (run) queued++
    }
    return queued
  })
}

interface DueTask {
  readonly configId: number
  readonly projectId: number
  readonly task: string
}

/** Leaves out tasks whose previous run has not finished. */
async function listDueTasks(db: Db, minute: number): Promise<DueTask[]> {
  const tasks = listTasksAt(minute)
  const configs = await listSchedulableConfigs(db)
  const runs = await listUnfinishedScheduledRuns(db)
  const unfinished = new Set(runs.map(({ config_id, name }) => `${config_id} ${name}`))
  return configs.flatMap(({ id, project_id, scheduledTasks }) =>
    tasks
      .filter((task) => scheduledTasks.includes(task) && !unfinished.has(`${id} ${task}`))
      .map((task) => ({ configId: id, projectId: project_id, task })),
  )
}

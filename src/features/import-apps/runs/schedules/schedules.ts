import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { json, laterThan, now } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import { makeAlertsDue } from '#server/features/import-apps/alerts-due.ts'
import { configLog } from '#server/features/import-apps/config-activity.ts'
import { getConfigRow } from '#server/features/import-apps/configs/configs.ts'
import { type ConfigRow, updateConfigRow } from '#server/features/import-apps/configs/store.ts'
import type { Plugin } from '#server/features/import-apps/plugins/schema.ts'
import { findPlugin } from '#server/features/import-apps/plugins/store.ts'
import {
  deleteRunTicks,
  listConfigTicks,
} from '#server/features/import-apps/queue/schedule-store.ts'
import { findCronProblem } from '#server/features/import-apps/schedules/cron.ts'
import type {
  Retry,
  Schedule,
  ScheduleSettings,
  ScheduleSettingsPatch,
} from '#server/features/import-apps/schedules/schema.ts'
import {
  listScheduledRuns,
  type ScheduledRun,
  toPeriod,
} from '#server/features/import-apps/schedules/ticks.ts'
import { isTimeZone } from '#server/http/time-zone.ts'
import { resolveJob } from '../job-rules.ts'

const MAX_PERIOD_MS = 31 * 24 * 60 * 60_000

export async function getSchedule(
  db: Db,
  projectId: number,
  id: number,
): Promise<ScheduleSettings> {
  const config = await getConfigRow(db, projectId, id)
  return toSettings(db, config, await findPlugin(db, config.plugin_id))
}

/** Changes when a config runs. Its runs begin at the next tick of the new schedule. */
export function patchSchedule(
  db: Db,
  caller: Caller,
  id: number,
  patch: ScheduleSettingsPatch,
): Promise<ScheduleSettings> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const before = await getConfigRow(tx, projectId, id)
    const plugin = await findPlugin(tx, before.plugin_id)
    const old = { expected_every: before.expected_every, retry: toRetry(before) }
    const { schedule = toSchedule(before), expected_every, retry } = { ...old, ...patch }
    if (expected_every !== null) requirePeriod('expected_every', expected_every)
    const checked = schedule === null ? null : checkSchedule(schedule, plugin)
    const columns = {
      schedule: checked && json(checked),
      expected_every,
      retry: retry && json(retry),
    }
    const changes = changesBetween(
      'PluginConfig',
      { schedule: toSchedule(before), ...old },
      { schedule: checked, expected_every, retry },
    )
    if (changes.length === 0) return toSettings(tx, before, plugin)
    const isRescheduled = columns.schedule !== before.schedule
    const after = await updateConfigRow(tx, before, {
      ...columns,
      updated_at: laterThan(before.updated_at),
      ...(isRescheduled && { scheduled_from: now() }),
    })
    if (isRescheduled) await deleteRunTicks(tx, id)
    await makeAlertsDue(tx, id)
    await configLog.logActivity(tx, caller, { configId: id, plugin }, 'updated', changes)
    return toSettings(tx, after, plugin)
  })
}

export const toSchedule = ({ schedule }: Pick<ConfigRow, 'schedule'>): Schedule | null =>
  schedule === null ? null : JSON.parse(schedule)

const toRetry = ({ retry }: Pick<ConfigRow, 'retry'>): Retry | null =>
  retry === null ? null : JSON.parse(retry)

async function toSettings(
  db: Db,
  config: ConfigRow,
  plugin: Plugin | undefined,
): Promise<ScheduleSettings> {
  const ticks = new Map((await listConfigTicks(db, [config.id])).map((row) => [row.task, row.tick]))
  return {
    schedule: toSchedule(config),
    expected_every: config.expected_every,
    retry: toRetry(config),
    next_run_at: findNextRun(config, listRuns(config, plugin), ticks),
  }
}

/** Lists what a config with its app runs at which times. */
export const listRuns = (
  config: Pick<ConfigRow, 'schedule'>,
  plugin: Plugin | undefined,
): ScheduledRun[] =>
  listScheduledRuns(toSchedule(config), plugin?.capabilities.scheduled_tasks ?? [])

/** Finds the next scheduled run after the remembered ticks, or null. */
export function findNextRun(
  { enabled, scheduled_from }: Pick<ConfigRow, 'enabled' | 'scheduled_from'>,
  runs: readonly ScheduledRun[],
  ticks: ReadonlyMap<string, string>,
): string | null {
  if (enabled === 0) return null
  const times = runs.flatMap(
    ({ name, ticks: { next } }) => next(Date.parse(ticks.get(name) ?? scheduled_from)) ?? [],
  )
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
}

/** Throws unless the schedule is valid and the app has something to run. Names the job if the app has only one. */
function checkSchedule(schedule: Schedule, plugin: Plugin | undefined): Schedule {
  const { every, cron, manual, time_zone } = schedule
  const kinds = [every, cron, manual].filter((value) => value !== undefined)
  if (kinds.length !== 1) {
    throw invalid('schedule', 'Set exactly one of "every", "cron" and "manual".')
  }
  if (every !== undefined) requirePeriod('schedule__every', every)
  if (cron === undefined && time_zone !== undefined) {
    throw invalid('schedule__time_zone', 'Only "cron" has a time zone.')
  }
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    throw invalid(
      'schedule__time_zone',
      `"${time_zone}" is not a time zone. Use a name such as Europe/Berlin.`,
    )
  }
  const problem = cron === undefined ? undefined : findCronProblem(cron)
  if (problem !== undefined) throw invalid('schedule__cron', problem)
  if (manual) {
    if (schedule.job !== undefined) throw invalid('schedule__job', 'A manual import has no job.')
    return schedule
  }
  return withJob(schedule, plugin)
}

function withJob(schedule: Schedule, plugin: Plugin | undefined): Schedule {
  if (!plugin) throw invalid('schedule', 'The app of this config is not installed.')
  const { job } = schedule
  const runsTasks = listScheduledRuns(schedule, plugin.capabilities.scheduled_tasks ?? [])
  if (job === undefined && runsTasks.length > 0) return schedule
  const named = job === undefined ? undefined : { type: job }
  // a schedule has no user, so it may set nothing that only admins may set
  const { kind, name } = resolveJob(plugin, named, false)
  if (kind !== 'job') throw invalid('schedule', 'This app has nothing to run on a schedule.')
  return { ...schedule, job: name }
}

function requirePeriod(attr: string, every: string): void {
  if (toPeriod(every) > MAX_PERIOD_MS) throw invalid(attr, 'At most 31 days.', 'max_value')
}

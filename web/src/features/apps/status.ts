import { neverRuns, ON_REQUEST, SET_UP, setsUpJobs } from '#model/app-limitation.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { ImportHealth } from '#server/features/import-apps/health/schema.ts'
import type { Plugin } from '#server/features/import-apps/plugins/schema.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import type { Status } from '../../ui/page/status-color.ts'

/** undefined if the app is not installed. */
export const appManifest = ({ plugin_info }: PipelineConfig): Plugin | undefined =>
  plugin_info === '' ? undefined : JSON.parse(plugin_info)

export const jobNames = (config: PipelineConfig): string[] =>
  Object.keys(appManifest(config)?.public_jobs ?? {})

/** Tells whether a run needs no choice: one job, or no jobs but a schedule or a set-up that starts some. */
export function canRunDirectly(config: PipelineConfig): boolean {
  const jobs = jobNames(config)
  if (jobs.length > 1) return false
  const app = appManifest(config)
  if (!app) return false
  return jobs.length === 1 || (app.capabilities.scheduled_tasks ?? []).length > 0 || setsUpJobs(app)
}

export interface ConfigStatus {
  readonly status: Status
  readonly label: string
  /** Reason, if known. */
  readonly reason?: string
  /** Time of the last change of status. */
  readonly since?: string | null
}

/** The most important status of a config. */
export function configStatus(
  config: PipelineConfig,
  last: Run | undefined,
  health: ImportHealth | undefined,
): ConfigStatus {
  if (config.plugin_info === '')
    return { status: 'error', label: 'Not installed', reason: config.error }
  const manifest = appManifest(config)
  if (manifest && neverRuns(manifest)) {
    return { status: 'warning', label: 'Never runs', reason: config.error }
  }
  if (last?.state === 'running') return { status: 'running', label: `Running${toPercent(last)}` }
  if (last?.state === 'queued' && config.enabled) {
    return { status: 'running', label: 'Queued', reason: last.message }
  }
  if (!config.enabled) return { status: 'neutral', label: 'Disabled' }
  if (config.error.startsWith('Required settings')) {
    return { status: 'warning', label: 'Needs settings', reason: config.error }
  }
  if (last?.state === 'failed') {
    return { status: 'error', label: 'Failed', reason: last.message, since: last.finished_at }
  }
  if (health?.state === 'stale') {
    return { status: 'warning', label: 'Late', reason: health.message, since: health.since }
  }
  if (last?.state === 'cancelled') {
    return { status: 'neutral', label: 'Canceled', reason: last.message, since: last.finished_at }
  }
  if (config.error !== '') return { status: 'error', label: 'Failed', reason: config.error }
  if (last) return { status: 'success', label: 'Succeeded', since: last.finished_at }
  return { status: 'neutral', label: 'Not run yet' }
}

function toPercent(run: Run): string {
  const percent = progressPercent(run)
  return percent === undefined ? '' : ` ${percent}%`
}

/** Percentage; undefined if the total is unknown. */
export function progressPercent({ progress: { done, total } }: Run): number | undefined {
  return total ? Math.min(100, Math.floor((done / total) * 100)) : undefined
}

/** Labels of scheduled task names. */
const SCHEDULES: Readonly<Record<string, string>> = {
  runEveryMinute: 'every minute',
  runEveryHour: 'every hour',
  runEveryDay: 'every day',
}

export const scheduleLabels = (names: readonly string[] = []): string[] =>
  names.map((name) => SCHEDULES[name] ?? name)

/** The first day of a backfill's window, or its first minute if it does not begin at midnight. */
function toWindowName(window: unknown): string {
  const { from = '' } = window as { readonly from?: string }
  return from.slice(11, 16) === '00:00' ? from.slice(0, 10) : from.slice(0, 16).replace('T', ' ')
}

export function runName({ kind, name, backfill, payload }: Run): string {
  if (backfill !== null) return `Backfill, ${toWindowName(payload)}`
  if (name === ON_REQUEST) return 'Requests'
  if (kind === 'schedule')
    return name === SET_UP ? 'Set-up' : `Schedule, ${SCHEDULES[name] ?? name}`
  return name
}

export const formatCount = (amount: number): string => amount.toLocaleString('en')

/** Returns a version of npm as it is, and a commit in its short form. */
export const toVersion = (tag: string | null): string =>
  (tag ?? '').replace(/^([0-9a-f]{7})[0-9a-f]{33}$/, '$1')

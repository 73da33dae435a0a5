import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { Plugin } from '#server/features/import-apps/plugins/schema.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'

/** undefined: the app is not installed. */
export const appOf = ({ plugin_info }: PipelineConfig): Plugin | undefined =>
  plugin_info === '' ? undefined : JSON.parse(plugin_info)

export const jobsOf = (config: PipelineConfig): string[] =>
  Object.keys(appOf(config)?.public_jobs ?? {})

/** Whether it can be started without saying more: one job, or no job and a schedule. */
export function canRunAsIs(config: PipelineConfig): boolean {
  const jobs = jobsOf(config)
  if (jobs.length > 1) return false
  return jobs.length === 1 || (appOf(config)?.capabilities.scheduled_tasks ?? []).length > 0
}

export type Tone = 'green' | 'blue' | 'red' | 'yellow' | 'gray'

export interface State {
  readonly tone: Tone
  readonly words: string
  /** Why, when there is more to say. */
  readonly why?: string
  /** When it came to this. */
  readonly since?: string | null
}

/** The most important thing there is to say of a config. */
export function stateOf(config: PipelineConfig, last: Run | undefined): State {
  if (config.plugin_info === '') return { tone: 'red', words: 'Not installed', why: config.error }
  if (last?.state === 'running') return { tone: 'blue', words: `Running${percentOf(last)}` }
  if (last?.state === 'queued' && config.enabled) {
    return { tone: 'blue', words: 'Waiting to run', why: last.message }
  }
  if (!config.enabled) return { tone: 'gray', words: 'Disabled' }
  if (config.error.startsWith('Required settings')) {
    return { tone: 'yellow', words: 'Needs settings', why: config.error }
  }
  if (last?.state === 'failed') {
    return { tone: 'red', words: 'Failed', why: last.message, since: last.finished_at }
  }
  if (config.error !== '') return { tone: 'red', words: 'Failed', why: config.error }
  if (last?.state === 'cancelled') {
    return { tone: 'gray', words: 'Cancelled', why: last.message, since: last.finished_at }
  }
  if (last) return { tone: 'green', words: 'Last run went well', since: last.finished_at }
  return { tone: 'gray', words: 'Has not run yet' }
}

function percentOf(run: Run): string {
  const percent = progressOf(run)
  return percent === undefined ? '' : ` ${percent} %`
}

/** In percent; undefined when nobody knows how much there is to do. */
export function progressOf({ progress: { done, total } }: Run): number | undefined {
  return total ? Math.min(100, Math.floor((done / total) * 100)) : undefined
}

/** `runEveryHour` in words. */
const EVERY: Readonly<Record<string, string>> = {
  runEveryMinute: 'every minute',
  runEveryHour: 'every hour',
  runEveryDay: 'every day',
}

export const schedulesOf = (names: readonly string[] = []): string[] =>
  names.map((name) => EVERY[name] ?? name)

export const runName = ({ kind, name }: Run): string =>
  kind === 'schedule' ? `Schedule, ${EVERY[name] ?? name}` : name

export const count = (amount: number): string => amount.toLocaleString('en')

export const counted = (amount: number, noun: string): string =>
  `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`

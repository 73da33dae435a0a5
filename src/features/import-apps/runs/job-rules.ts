import { isDeepStrictEqual } from 'node:util'
import { SET_UP, setsUpJobs } from '#model/app-limitation.ts'
import { invalid } from '#server/errors.ts'
import type { JobField, Plugin } from '../plugins/schema.ts'
import type { RunRow } from '../queue/store.ts'
import type { Job } from './schema.ts'

/** The job or scheduled task that a run executes. */
export interface ResolvedJob {
  readonly kind: 'job' | 'schedule'
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly operation: string
}

/**
 * Checks a job against the app's public jobs. If the app is not installed, its jobs are unknown: the run is queued and
 * fails with that message.
 */
export function resolveJob(
  plugin: Plugin | undefined,
  job: Job | undefined,
  isStaff: boolean,
): ResolvedJob {
  const resolved = job ? toNamedJob(job) : toOnlyJob(plugin)
  if (plugin && resolved.kind === 'job') requirePublicJob(plugin, resolved, isStaff)
  return resolved
}

/** A run in the queue, whose payload is JSON. */
type QueuedJob = Pick<RunRow, 'kind' | 'name' | 'payload' | 'operation' | 'by_app'>

/** Checks a queued job as if it were requested again. An app can queue its own jobs even if they are not public. */
export function requireAllowedJob(
  plugin: Plugin | undefined,
  { kind, name, payload, operation, by_app }: QueuedJob,
  isStaff: boolean,
): void {
  if (kind !== 'job' || by_app === 1) return
  resolveJob(plugin, { type: name, payload: JSON.parse(payload) ?? {}, operation }, isStaff)
}

function toNamedJob({ type, payload = {}, operation = 'start' }: Job): ResolvedJob {
  if (!type) throw invalid(null, 'The job type must be specified!')
  return { kind: 'job', name: type, payload, operation }
}

/** Returns the only public job, or else the first scheduled task or the set-up that starts jobs. */
function toOnlyJob(plugin: Plugin | undefined): ResolvedJob {
  const start = { payload: {}, operation: 'start' }
  const [name = '', ...others] = Object.keys(plugin?.public_jobs ?? {})
  if (others.length > 0) {
    const choices = [name, ...others].map(quote).join(', ')
    throw invalid('job', `Plugin has several public jobs. Set the job type to one of ${choices}.`)
  }
  const [task] = plugin?.capabilities.scheduled_tasks ?? []
  const schedule = task ?? (plugin && setsUpJobs(plugin) ? SET_UP : undefined)
  return name === '' && schedule !== undefined
    ? { kind: 'schedule', name: schedule, ...start }
    : { kind: 'job', name, ...start }
}

function requirePublicJob({ public_jobs }: Plugin, requested: ResolvedJob, isStaff: boolean): void {
  if (Object.keys(public_jobs).length === 0) throw invalid(null, 'Plugin has no public jobs')
  const job = Object.hasOwn(public_jobs, requested.name) ? public_jobs[requested.name] : undefined
  if (!job) throw invalid(null, `Unknown plugin job: ${quote(requested.name)}`)
  const fields = job.payload ?? {}
  for (const [key, field] of Object.entries(fields)) {
    requireField(key, field, requested.payload, isStaff)
  }
  const unknown = Object.keys(requested.payload).find((key) => !Object.hasOwn(fields, key))
  if (unknown !== undefined) throw invalid(null, `Unknown field for job: ${unknown}`)
}

const quote = (name: string): string => `'${name}'`

function requireField(
  key: string,
  { type, required, default: defaultValue, staff_only }: JobField,
  payload: ResolvedJob['payload'],
  isStaff: boolean,
): void {
  if (!Object.hasOwn(payload, key)) {
    if (required) throw invalid(null, `Missing required job field: ${key}`)
    return
  }
  const value = payload[key]
  if (staff_only && !isStaff && !isDeepStrictEqual(value, defaultValue)) {
    throw invalid(null, `Field is only settable for admins: ${key}`)
  }
  const { isValid, description } = FIELD_TYPES[type]
  if (!isValid(value)) throw invalid(`job__payload__${key}`, `${key} must be ${description}.`)
}

interface FieldType {
  readonly description: string
  isValid(value: unknown): boolean
}

const FIELD_TYPES: Readonly<Record<JobField['type'], FieldType>> = {
  string: { description: 'a string', isValid: (value) => typeof value === 'string' },
  boolean: { description: 'true or false', isValid: (value) => typeof value === 'boolean' },
  number: { description: 'a number', isValid: (value) => Number.isFinite(value) },
  json: { description: 'JSON', isValid: () => true },
  date: { description: 'a date such as 2024-01-31', isValid: isDate },
  daterange: { description: 'a list of two dates such as 2024-01-31', isValid: isDateRange },
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

function isDate(value: unknown): boolean {
  const [text, day] = (typeof value === 'string' && ISO_DATE.exec(value)) || []
  if (text === undefined || Number.isNaN(Date.parse(text))) return false
  // `Date.parse` turns 30 February into 1 March
  return new Date(`${day}T00:00Z`).toISOString().slice(0, 10) === day
}

function isDateRange(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isDate)
}

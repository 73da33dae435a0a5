import { isDeepStrictEqual } from 'node:util'
import { invalid } from '#server/errors.ts'
import type { JobField, Plugin } from '../plugins/schema.ts'
import type { Job } from './schema.ts'

/** What a run is asked to do. */
export interface ResolvedJob {
  readonly kind: 'job' | 'schedule'
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly operation: string
}

/** Of a plugin that is not installed nobody knows the jobs: whatever is asked for waits and fails where it is seen. */
export function resolveJob(
  plugin: Plugin | undefined,
  job: Job | undefined,
  isStaff: boolean,
): ResolvedJob {
  const task = job ? toNamedTask(job) : toOnlyTask(plugin)
  if (plugin && task.kind === 'job') requirePublicJob(plugin, task, isStaff)
  return task
}

function toNamedTask({ type, payload = {}, operation = 'start' }: Job): ResolvedJob {
  if (!type) throw invalid(null, 'The job type must be specified!')
  return { kind: 'job', name: type, payload, operation }
}

function toOnlyTask(plugin: Plugin | undefined): ResolvedJob {
  const start = { payload: {}, operation: 'start' }
  const [name = '', ...others] = Object.keys(plugin?.public_jobs ?? {})
  if (others.length > 0) {
    const choices = [name, ...others].map(quote).join(', ')
    throw invalid('job', `Plugin has several public jobs: name one of ${choices}.`)
  }
  const [schedule] = plugin?.capabilities.scheduled_tasks ?? []
  return name === '' && schedule !== undefined
    ? { kind: 'schedule', name: schedule, ...start }
    : { kind: 'job', name, ...start }
}

function requirePublicJob({ public_jobs }: Plugin, task: ResolvedJob, isStaff: boolean): void {
  if (Object.keys(public_jobs).length === 0) throw invalid(null, 'Plugin has no public jobs')
  const job = Object.hasOwn(public_jobs, task.name) ? public_jobs[task.name] : undefined
  if (!job) throw invalid(null, `Unknown plugin job: ${quote(task.name)}`)
  const fields = job.payload ?? {}
  for (const [key, field] of Object.entries(fields)) {
    requireField(key, field, task.payload, isStaff)
  }
  const unknown = Object.keys(task.payload).find((key) => !Object.hasOwn(fields, key))
  if (unknown !== undefined) throw invalid(null, `Unknown field for job: ${unknown}`)
}

const quote = (name: string): string => `'${name}'`

function requireField(
  key: string,
  { type, required, default: byDefault, staff_only }: JobField,
  payload: ResolvedJob['payload'],
  isStaff: boolean,
): void {
  if (!Object.hasOwn(payload, key)) {
    if (required) throw invalid(null, `Missing required job field: ${key}`)
    return
  }
  const value = payload[key]
  if (staff_only && !isStaff && !isDeepStrictEqual(value, byDefault)) {
    throw invalid(null, `Field is only settable for admins: ${key}`)
  }
  const { fits, wanted } = FIELD_TYPES[type]
  if (!fits(value)) throw invalid(`job__payload__${key}`, `${key} must be ${wanted}.`)
}

interface FieldType {
  readonly wanted: string
  fits(value: unknown): boolean
}

const FIELD_TYPES: Readonly<Record<JobField['type'], FieldType>> = {
  string: { wanted: 'a string', fits: (value) => typeof value === 'string' },
  boolean: { wanted: 'true or false', fits: (value) => typeof value === 'boolean' },
  number: { wanted: 'a number', fits: (value) => Number.isFinite(value) },
  json: { wanted: 'JSON', fits: () => true },
  date: { wanted: 'a date such as 2024-01-31', fits: isDate },
  daterange: { wanted: 'a list of two dates such as 2024-01-31', fits: isDateRange },
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

function isDate(value: unknown): boolean {
  const [text, day] = (typeof value === 'string' && ISO_DATE.exec(value)) || []
  if (text === undefined || Number.isNaN(Date.parse(text))) return false
  // 30 February parses too, as 1 March
  return new Date(`${day}T00:00Z`).toISOString().slice(0, 10) === day
}

function isDateRange(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isDate)
}

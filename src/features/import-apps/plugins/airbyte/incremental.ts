import {
  type Component,
  isComponent,
  requireComponent,
  requireOnly,
  requireText,
  typeOf,
  unsupported,
} from './component.ts'
import { toParameter } from './paginator.ts'
import { parseReference, type Scope, toText } from './templates.ts'

type Fields = Readonly<Record<string, unknown>>

const FORMATS: Readonly<Record<string, string>> = {
  '%s': 'seconds',
  '%ms': 'milliseconds',
  '%epoch_microseconds': '',
  '%s_as_float': '',
  '%Y-%m-%d': 'date',
}

const KNOWN = [
  ...['cursor_field', 'datetime_format', 'cursor_datetime_formats', 'start_datetime'],
  ...['end_datetime', 'step', 'cursor_granularity', 'lookback_window', 'start_time_option'],
  ...['end_time_option', 'is_client_side_incremental', 'is_compare_strictly'],
  ...['is_data_feed', 'global_substream_cursor', 'partition_field_start', 'partition_field_end'],
]

/** The parameters of the request that a stream itself fills with the times of a slice. */
export interface SliceParameters {
  readonly start?: string
  readonly end?: string
}

/**
 * Translates a DatetimeBasedCursor to `incremental`. Without a parameter for the start, all records are read each time,
 * and stored once.
 */
export function toIncremental(
  given: unknown,
  at: string,
  scope: Scope,
  own: SliceParameters,
): Fields | undefined {
  if (given === undefined || given === null) return undefined
  const part = requireComponent(given, at)
  const type = typeOf(part, at, 'DatetimeBasedCursor')
  if (type !== 'DatetimeBasedCursor') throw unsupported(at, `${type} is not supported`)
  requireOnly(part, at, KNOWN)
  const option = (key: string) => toParameter(part[key], `${at}.${key}`, part, scope)
  const parameter = own.start ?? option('start_time_option')
  const to = own.end ?? option('end_time_option')
  if (parameter === undefined) return undefined
  requireNow(part.end_datetime, `${at}.end_datetime`)
  const start = toStart(part.start_datetime, `${at}.start_datetime`, scope)
  const step = part.step === undefined ? undefined : toSeconds(part.step, `${at}.step`)
  const lookback = part.lookback_window
    ? toSeconds(part.lookback_window, `${at}.lookback_window`)
    : undefined
  return {
    field: toText(part.cursor_field, part, `${at}.cursor_field`, scope),
    parameter,
    ...(to !== undefined && { to_parameter: to }),
    format: toFormat(requireText(part.datetime_format, `${at}.datetime_format`), at),
    start,
    ...(step !== undefined && to !== undefined && { step: Math.max(step, 60) }),
    ...(lookback !== undefined && { lookback }),
  }
}

function toFormat(format: string, at: string): string {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  const letters = [...format.matchAll(/%(.)/g)].map(([, letter = '']) => letter)
  if (known) return known
  if (
    known === undefined &&
    letters.length > 0 &&
    letters.every((one) => 'YmdHMSfzZ%'.includes(one))
  ) {
    return format
  }
  throw unsupported(`${at}.datetime_format`, `"${format}" is not supported`)
}

/** A MinMaxDatetime, or a text. How the text is written does not matter: any date is understood. */
function toStart(given: unknown, at: string, scope: Scope): string {
  if (!isComponent(given)) return toDate(given, {}, at, scope)
  requireOnly(given, at, ['datetime', 'datetime_format'])
  return toDate(given.datetime, given, `${at}.datetime`, scope)
}

/** `format_datetime` writes a date in another way, which does not matter here. */
function toDate(given: unknown, part: Component, at: string, scope: Scope): string {
  const text = requireText(given, at)
  const [, inner] =
    /^\s*\{\{\s*format_datetime\(\s*([^,()]+?)\s*,[^()]*\)\s*\}\}\s*$/.exec(text) ?? []
  return toText(inner === undefined ? text : `{{ ${inner} }}`, part, at, scope)
}

/** A run always reads up to now. */
function requireNow(given: unknown, at: string): void {
  const text = isComponent(given) ? given.datetime : given
  if (text === undefined || text === null || text === '') return
  const [, expression = ''] = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(String(text)) ?? []
  const isNow =
    /^\s*(now_utc|today_utc|today_with_timezone|now_local)\(\)(\.(strftime|isoformat)\([^()]*\))?\s*$/.test(
      expression,
    ) || /^\s*format_datetime\(\s*(now_utc|today_utc)\(\)\s*,[^()]*\)\s*$/.test(expression)
  if (!isNow) throw unsupported(at, `"${String(text)}" must be now`)
}

const UNITS = [31_536_000, 2_592_000, 604_800, 86_400, 3600, 60, 1]

/** Converts an ISO 8601 duration. A month has 30 days here, which only changes where a step ends. */
function toSeconds(given: unknown, at: string): number {
  const text = requireText(given, at)
  const parts =
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
      text,
    )
  const seconds = UNITS.reduce(
    (sum, unit, index) => sum + unit * Number(parts?.[index + 1] ?? 0),
    0,
  )
  if (seconds > 0) return Math.min(seconds, 31_622_400)
  throw unsupported(at, `"${text}" is no duration such as P1D`)
}

/** Finds the parameter that a request itself fills with a time of the slice. */
export function findSliceTime(value: unknown): 'start' | 'end' | undefined {
  const [, expression] = /^\s*\{\{([^{}]*)\}\}\s*$/.exec(String(value)) ?? []
  const reference = expression === undefined ? undefined : parseReference(expression)
  if (!reference || !/^stream_(interval|slice|partition)$/.test(reference.name)) return undefined
  const [key] = reference.path
  if (reference.path.length === 1 && key === 'start_time') return 'start'
  return reference.path.length === 1 && key === 'end_time' ? 'end' : undefined
}

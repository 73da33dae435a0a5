import type { JobField } from '#server/features/import-apps/plugins/schema.ts'

export type JobFields = Readonly<Record<string, JobField>>
/** Input values by key. */
export type Typed = Readonly<Record<string, string | boolean | readonly [string, string]>>

export function toTyped(fields: JobFields): Typed {
  return Object.fromEntries(
    Object.entries(fields).map(([key, { type, default: defaultValue }]) => {
      if (type === 'boolean') return [key, defaultValue === true]
      if (type === 'daterange') return [key, Array.isArray(defaultValue) ? defaultValue : ['', '']]
      if (defaultValue === undefined || defaultValue === null) return [key, '']
      return [key, typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)]
    }),
  )
}

interface Result {
  readonly payload: Record<string, unknown>
  /** Error messages by key. */
  readonly errors: Record<string, string>
}

/** Omits empty fields. */
export function toPayload(fields: JobFields, typed: Typed): Result {
  const result: Result = { payload: {}, errors: {} }
  for (const [key, field] of Object.entries(fields)) {
    const value = typed[key] ?? ''
    if (isBlank(value)) {
      if (field.required) result.errors[key] = 'This field is required.'
      continue
    }
    const read = parseValue(field, value)
    if (read === undefined) result.errors[key] = MESSAGES[field.type] ?? 'Invalid value.'
    else result.payload[key] = read
  }
  return result
}

const isBlank = (value: Typed[string]): boolean =>
  value === '' || (Array.isArray(value) && value.every((day) => day === ''))

const MESSAGES: Partial<Record<JobField['type'], string>> = {
  number: 'Enter a number.',
  json: 'Enter valid JSON.',
  daterange: 'Enter both dates.',
}

/** Parses an input value; undefined if it does not match its type. */
function parseValue({ type }: JobField, value: Typed[string]): unknown {
  if (type === 'number') return Number.isFinite(Number(value)) ? Number(value) : undefined
  if (type === 'daterange') return (value as readonly string[]).includes('') ? undefined : value
  if (type !== 'json') return value
  try {
    return JSON.parse(String(value))
  } catch {
    return undefined
  }
}

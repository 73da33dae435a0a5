import type { JobField } from '#server/features/import-apps/plugins/schema.ts'

export type Fields = Readonly<Record<string, JobField>>
/** What was typed, by key. */
export type Typed = Readonly<Record<string, string | boolean | readonly [string, string]>>

export function toTyped(fields: Fields): Typed {
  return Object.fromEntries(
    Object.entries(fields).map(([key, { type, default: byDefault }]) => {
      if (type === 'boolean') return [key, byDefault === true]
      if (type === 'daterange') return [key, Array.isArray(byDefault) ? byDefault : ['', '']]
      if (byDefault === undefined || byDefault === null) return [key, '']
      return [key, typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault)]
    }),
  )
}

interface Result {
  readonly payload: Record<string, unknown>
  /** By key. */
  readonly problems: Record<string, string>
}

/** What is empty is left out. */
export function toPayload(fields: Fields, typed: Typed): Result {
  const result: Result = { payload: {}, problems: {} }
  for (const [key, field] of Object.entries(fields)) {
    const value = typed[key] ?? ''
    if (isBlank(value)) {
      if (field.required) result.problems[key] = 'This field is required.'
      continue
    }
    const read = readValue(field, value)
    if (read === undefined) result.problems[key] = PROBLEMS[field.type] ?? 'This is not valid.'
    else result.payload[key] = read
  }
  return result
}

const isBlank = (value: Typed[string]): boolean =>
  value === '' || (Array.isArray(value) && value.every((day) => day === ''))

const PROBLEMS: Partial<Record<JobField['type'], string>> = {
  number: 'This is no number.',
  json: 'This is not valid JSON.',
  daterange: 'A range has two days.',
}

/** undefined: it is none of its type. */
function readValue({ type }: JobField, value: Typed[string]): unknown {
  if (type === 'number') return Number.isFinite(Number(value)) ? Number(value) : undefined
  if (type === 'daterange') return (value as readonly string[]).includes('') ? undefined : value
  if (type !== 'json') return value
  try {
    return JSON.parse(String(value))
  } catch {
    return undefined
  }
}

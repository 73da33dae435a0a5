import { valueAt } from '../shared/paths.ts'
import { toTimestamp } from '../shared/times.ts'
import type { FieldType, Transform } from './connector.ts'

export type Fields = Record<string, unknown>

/**
 * Changes the fields of a record, step by step. `fill` replaces the placeholders of a text, and returns null if the
 * records above lack a value.
 */
export function transform(
  record: Fields,
  steps: readonly Transform[],
  fill: (text: string) => string | null,
): Fields {
  let fields: Fields = { ...record }
  for (const { add = {}, copy = {}, remove = [], rename, cast: casts = {} } of steps) {
    const added = ([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? fill(value) : value,
    ]
    fields = { ...fields, ...Object.fromEntries(Object.entries(add).map(added)) }
    const copied = Object.entries(copy).map(([name, path]) => [name, valueAt(fields, path) ?? null])
    fields = { ...fields, ...Object.fromEntries(copied) }
    for (const name of remove) delete fields[name]
    if (rename) {
      const renamed = ([name, value]: [string, unknown]) => [
        Object.hasOwn(rename, name) ? (rename[name] as string) : name,
        value,
      ]
      fields = Object.fromEntries(Object.entries(fields).map(renamed))
    }
    for (const [name, type] of Object.entries(casts)) {
      if (Object.hasOwn(fields, name)) fields[name] = cast(fields[name], type)
    }
  }
  return fields
}

/** Casts a value. One that cannot be cast becomes null. */
export const cast = (value: unknown, type: FieldType): unknown =>
  value === null ? null : CASTS[type](value)

const CASTS: Readonly<Record<FieldType, (value: unknown) => unknown>> = {
  string: (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)),
  number: (value) => {
    const text = typeof value === 'string' ? value.trim() : value
    const number = text === '' || typeof text === 'object' ? Number.NaN : Number(text)
    return Number.isFinite(number) ? number : null
  },
  boolean: (value) => TRUTH.get(String(value).toLowerCase()) ?? null,
  time: (value) => toTimestamp(value) ?? null,
}

const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

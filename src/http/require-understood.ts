import type { TSchema } from 'typebox'
import { isObject } from '#model/json.ts'
import { invalid } from '../errors.ts'

/** A schema as `options` of the query schemas describes it. */
interface Described {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly patternProperties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
  readonly items?: Described
  readonly anyOf?: readonly Described[]
  /** Keys that are ignored because no result depends on them. */
  readonly display?: readonly string[]
}

/**
 * Refuses keys that the schema does not know, unless they have no effect. Otherwise the sender would get the
 * result of a different query without noticing.
 */
export const requireUnderstood = (schema: TSchema, value: unknown, attr: string): void =>
  check(schema as Described, value, attr)

function check(schema: Described, value: unknown, attr: string): void {
  const { items, properties, patternProperties, display, anyOf } = schema
  if (anyOf) {
    const fitting = anyOf.find((each) => fits(each, value))
    if (fitting) check(fitting, value, attr)
  } else if (Array.isArray(value)) {
    if (items) for (const [index, each] of value.entries()) check(items, each, `${attr}__${index}`)
  } else if (isObject(value)) {
    const [others] = Object.values(patternProperties ?? {})
    for (const [key, each] of Object.entries(value)) {
      const known = properties && Object.hasOwn(properties, key) ? properties[key] : others
      if (known) check(known, each, `${attr}__${key}`)
      else if (display && !display.includes(key) && hasEffect(each)) {
        throw invalid(`${attr}__${key}`, `"${key.slice(0, 100)}" cannot be applied. Remove it.`)
      }
    }
  }
}

/** Finds the part of a union that the value belongs to. */
function fits({ type, anyOf, required = [] }: Described, value: unknown): boolean {
  if (anyOf) return anyOf.some((each) => fits(each, value))
  if (Array.isArray(value)) return type === 'array'
  return isObject(value) && type === 'object' && required.every((key) => Object.hasOwn(value, key))
}

/** Clients send unset options as null, false or empty. */
export function hasEffect(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return !isObject(value) || Object.values(value).some(hasEffect)
}

import { requireLength } from '#server/http/names.ts'
import { ScimError } from './errors.ts'

export type Attributes = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function requireObject(name: string, value: unknown): Attributes {
  if (isObject(value)) return value
  throw new ScimError('invalidSyntax', `${name} is not an object.`)
}

/** Shortens a name that a client has invented. */
export const quote = (name: string): string => `"${name.slice(0, 200)}"`

export function requireText(name: string, value: unknown, maxLength: number): string {
  if (typeof value === 'string') return requireLength(name, value, maxLength)
  throw new ScimError('invalidValue', `${name} is not a text.`)
}

/** Reads `null` and an empty text as none. */
export const toOptionalText = (name: string, value: unknown, maxLength: number): string =>
  value === null || value === undefined ? '' : requireText(name, value, maxLength)

/** Reads "True" and "False" too, which Microsoft Entra ID sends. */
export function requireFlag(name: string, value: unknown): boolean {
  const text = String(value).toLowerCase()
  if ((typeof value === 'boolean' || typeof value === 'string') && /^(true|false)$/.test(text)) {
    return text === 'true'
  }
  throw new ScimError('invalidValue', `${name} is neither true nor false.`)
}

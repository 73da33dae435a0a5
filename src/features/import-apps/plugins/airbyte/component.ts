/** A part of a manifest. */
export type Component = Readonly<Record<string, unknown>>

/** A part of a manifest that cannot be translated, with its place. */
export class Unsupported extends Error {}

export const isComponent = (value: unknown): value is Component =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const unsupported = (at: string, problem: string): Unsupported =>
  new Unsupported(`${at}: ${problem}`)

/** Returns a part that must be there. */
export function requireComponent(value: unknown, at: string): Component {
  if (isComponent(value)) return value
  throw unsupported(at, value === undefined ? 'is missing' : 'is no object')
}

export function requireText(value: unknown, at: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw unsupported(at, value === undefined ? 'is missing' : 'is no text')
}

export const toList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : [value].flat()

/** Returns the type of a part, or the type that it has if it names none. Parts in Python are refused. */
export function typeOf(part: Component, at: string, byDefault: string): string {
  const type = typeof part.type === 'string' ? part.type : byDefault
  if (part.class_name !== undefined || type.startsWith('Custom')) {
    const name = typeof part.class_name === 'string' ? ` ${part.class_name}` : ''
    throw unsupported(at, `${type}${name} needs Python`)
  }
  return type
}

/** Refuses all decoders but that of JSON, which is what responses are. */
export function requireJson({ decoder }: Component, at: string): void {
  if (decoder === undefined || decoder === null) return
  const place = `${at}.decoder`
  const type = typeOf(requireComponent(decoder, place), place, 'JsonDecoder')
  if (type !== 'JsonDecoder') throw unsupported(place, `${type} is not supported`)
}

/**
 * Refuses fields that would change what a part does. Texts that are empty, false and null change nothing, and neither do
 * parameters, which every part below them has as fields.
 */
export function requireOnly(part: Component, at: string, known: readonly string[]): void {
  const parameters = isComponent(part.$parameters) ? part.$parameters : {}
  for (const [key, value] of Object.entries(part)) {
    if (Object.hasOwn(parameters, key) && !/^(request_body|http_method)/.test(key)) continue
    if (known.includes(key) || key === 'type' || key === '$parameters' || isNothing(value)) continue
    throw unsupported(`${at}.${key}`, 'is not supported')
  }
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

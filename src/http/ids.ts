import { notFound } from '../errors.ts'

/** Parses an ID in a path. undefined if it is not a valid ID. */
export function toId(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** Throws `notFound` for text that is not a valid ID. */
export function requireId(text: string, thing?: string): number {
  const id = toId(text)
  if (id === undefined) throw notFound(thing)
  return id
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** Normalizes a UUID to lower case with hyphens. undefined if it is not a UUID. */
export function toUuid(text: string): string | undefined {
  if (!UUID.test(text)) return undefined
  const hex = text.replaceAll('-', '').toLowerCase()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

import { notFound } from '../errors.ts'

/** The id in a path, or undefined for what can be no id. */
export function toId(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** Whatever is no id names no record. */
export function requireId(text: string, thing?: string): number {
  const id = toId(text)
  if (id === undefined) throw notFound(thing)
  return id
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** Lower case with hyphens, however it was written; undefined when it is none. */
export function toUuid(text: string): string | undefined {
  if (!UUID.test(text)) return undefined
  const hex = text.replaceAll('-', '').toLowerCase()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

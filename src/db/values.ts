import { randomBytes, randomUUID } from 'node:crypto'

export type Flag = 0 | 1
/** ISO 8601, UTC. */
export type Time = string
/** A JSON document as text. */
export type Json = string

/** Returns the time in ISO 8601 and UTC, which sorts as text on both databases. */
export const now = (): string => new Date().toISOString()

export const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toISOString()

/** Converts a flag to 0 or 1. `undefined` leaves a column unchanged in an update. */
export function flag(value: boolean): 0 | 1
export function flag(value: boolean | undefined): 0 | 1 | undefined
export function flag(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0
}

/** Both databases store JSON documents as text. */
export const json = (value: unknown): string => JSON.stringify(value)

/** Both databases limit the number of values in a statement. */
export const MAX_VALUES_PER_STATEMENT = 1000

/** Splits a list into parts for one statement each. */
export function* chunksOf<T>(list: readonly T[], length: number): Generator<T[]> {
  for (let from = 0; from < list.length; from += length) yield list.slice(from, from + length)
}

export const uuid = (): string => randomUUID()

const BASE_62 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Returns random text; 43 characters hold 256 bits. Bytes over 247 are skipped, or some characters would be likelier. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE_62[byte % 62]
    }
  }
  return text
}

/** Returns the current time, or the next millisecond if the clock has not moved on: versions must never repeat. */
export function laterThan(before: string): string {
  const at = now()
  return at > before ? at : new Date(Date.parse(before) + 1).toISOString()
}

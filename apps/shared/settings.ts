import type { Meta } from './app.ts'

/** Returns a setting as text: empty if it was cleared, the default if it was never set. */
export function textSetting(meta: Pick<Meta, 'config'>, key: string, defaultValue = ''): string {
  const value = meta.config[key]
  return value === undefined || value === null ? defaultValue : String(value).trim()
}

export interface Bounds {
  readonly name: string
  readonly min: number
  readonly max: number
}

/** Parses a whole number from a number or a text. */
export function toWholeNumber(value: unknown, { name, min, max }: Bounds): number {
  const number = typeof value === 'number' ? value : toNumber(String(value))
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw new Error(`"${name}" must be a whole number from ${min} to ${max}, not "${value}".`)
}

const toNumber = (text: string): number => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : Number.NaN)

/** Returns a job's payload. A scheduled run has none. */
export const toPayload = (payload: unknown): Readonly<Record<string, unknown>> =>
  typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {}

import type { Meta } from './app.ts'

/** A setting as text. One that was cleared is empty; one that was never set is `byDefault`. */
export function textSetting(meta: Pick<Meta, 'config'>, key: string, byDefault = ''): string {
  const value = meta.config[key]
  return value === undefined || value === null ? byDefault : String(value).trim()
}

export interface Bounds {
  readonly name: string
  readonly least: number
  readonly most: number
}

/** A whole number, written as a number or as text. */
export function toWholeNumber(value: unknown, { name, least, most }: Bounds): number {
  const number = typeof value === 'number' ? value : toNumber(String(value))
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new Error(`"${name}" must be a whole number from ${least} to ${most}, not "${value}".`)
}

const toNumber = (text: string): number => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : Number.NaN)

/** The parts of a job's payload that were given. A schedule has none. */
export const toPayload = (payload: unknown): Readonly<Record<string, unknown>> =>
  typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {}

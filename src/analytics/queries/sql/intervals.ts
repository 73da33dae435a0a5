import { sql } from 'kysely'
import { refuse } from './errors.ts'
import { ONE } from './size.ts'
import { childrenOf, type Node, readConstant } from './tree.ts'
import type { Expression } from './types.ts'

/** A constant length of time; a computed one would have to be checked for each row. */
export interface IntervalExpression extends Expression {
  readonly type: 'Interval'
  readonly months: number
  readonly days: number
  readonly seconds: number
}

type Parts = Pick<IntervalExpression, 'months' | 'days' | 'seconds'>

const NONE = { months: 0, days: 0, seconds: 0 }
const LARGEST = 100_000

const UNITS: Record<string, (n: number) => Partial<Parts>> = {
  second: (n) => ({ seconds: n }),
  minute: (n) => ({ seconds: n * 60 }),
  hour: (n) => ({ seconds: n * 3600 }),
  day: (n) => ({ days: n }),
  week: (n) => ({ days: n * 7 }),
  month: (n) => ({ months: n }),
  quarter: (n) => ({ months: n * 3 }),
  year: (n) => ({ months: n * 12 }),
}

/** Parses `interval '7 day'`, `interval 7 day` (a function in DuckDB's tree) and ClickHouse's `toIntervalDay(7)`. */
export function parseInterval(node: Node): IntervalExpression | undefined {
  if (node.class === 'CAST' && (node.cast_type as { id: string }).id === 'INTERVAL') {
    return fromText(readConstant(node.child as Node))
  }
  if (node.class !== 'FUNCTION') return undefined
  const [, unit] =
    /^(?:to_|tointerval)(second|minute|hour|day|week|month|quarter|year)s?$/i.exec(
      String(node.function_name),
    ) ?? []
  return unit === undefined ? undefined : toInterval([[numberIn(node), unit.toLowerCase()]])
}

function fromText(text: unknown): IntervalExpression {
  const parts = typeof text === 'string' ? text.trim().toLowerCase() : ''
  if (!/^(-?\d+\s*[a-z]+\s*)+$/.test(parts)) throw unreadable()
  return toInterval(
    [...parts.matchAll(/(-?\d+)\s*([a-z]+)/g)].map(([, n, unit = '']) => [
      Number(n),
      unit.replace(/s$/, ''),
    ]),
  )
}

/** Unwraps the casts that DuckDB's parser adds. */
function numberIn(node: Node): number {
  let inner: Node | undefined = childrenOf(node)[0]
  while (inner?.class === 'CAST' || inner?.function_name === 'trunc') {
    inner = inner.class === 'CAST' ? (inner.child as Node) : childrenOf(inner)[0]
  }
  const value = readConstant(inner)
  return typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : (value as number)
}

function toInterval(parts: readonly (readonly [number, string])[]): IntervalExpression {
  const sum = { ...NONE }
  for (const [n, unit] of parts) {
    const add = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
    if (!add || !Number.isInteger(n) || Math.abs(n) > LARGEST) throw unreadable()
    for (const [key, value] of Object.entries(add(n))) sum[key as keyof Parts] += value
  }
  const text = `${sum.months} months ${sum.days} days ${sum.seconds} seconds`
  return { type: 'Interval', ...ONE, longest: 0, ...sum, render: () => sql`${text}::interval` }
}

const unreadable = () =>
  refuse(
    "An interval is a whole number, written out, and its unit: interval '7 day'. Units are second, minute, hour, day, week, month, quarter and year.",
  )

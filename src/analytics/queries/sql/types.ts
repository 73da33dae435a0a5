import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { refuse, tooComplex } from './errors.ts'
import { addSizes, ONE, type PlanSize, timesSize } from './size.ts'

/** `Null` is the type of a lone NULL and takes the type of its neighbor. An interval is never a result. */
export type Type =
  | 'String'
  | 'Integer'
  | 'Float'
  | 'Boolean'
  | 'DateTime'
  | 'Date'
  | 'Interval'
  | 'Null'

/** Types are known at compile time, so that both databases get the same statement and none fails at run time. */
export interface Expression extends PlanSize {
  readonly type: Type
  readonly render: (table: EventTable) => Sql
  /** The number of characters of a text, at most. */
  readonly longest: number
  /** Whether a window is part of it. */
  readonly isWindow?: boolean
  /** The value, when it is known at compile time. */
  readonly constant?: string | number | boolean | null
}

const MAX_WEIGHT = 5000

/** Numbers, times and UUIDs as texts have no more characters. */
export const LONGEST_NUMBER = 40

/** `copies` says how often the SQL repeats the arguments, on the database that repeats them most. */
export function expression(
  type: Type,
  args: readonly Expression[],
  write: (table: EventTable, ...written: Sql[]) => Sql,
  copies = 1,
): Expression {
  const size = addSizes(ONE, ...args.map((arg) => timesSize(arg, copies)))
  if (size.weight > MAX_WEIGHT) throw tooComplex()
  return {
    type,
    ...size,
    longest: Math.max(LONGEST_NUMBER, ...args.map(({ longest }) => longest)),
    isWindow: args.some(({ isWindow }) => isWindow),
    render: (table) => write(table, ...args.map((arg) => arg.render(table))),
  }
}

export function constant(value: string | number | boolean | null, type: Type): Expression {
  // the driver would send 1e300 as a whole number and fail
  const bound = type === 'Float' && value !== null ? String(value) : value
  const longest = typeof value === 'string' ? value.length : LONGEST_NUMBER
  return { type, ...ONE, longest, constant: value, render: () => sql`${bound}::${SQL_TYPES[type]}` }
}

/** Type names that both databases know. */
export const SQL_TYPES: Record<Type, Sql> = {
  String: sql`text`,
  Integer: sql`bigint`,
  Float: sql`double precision`,
  Boolean: sql`boolean`,
  DateTime: sql`timestamptz`,
  Date: sql`date`,
  Interval: sql`interval`,
  Null: sql`text`,
}

export const TYPE_NAMES: Record<Type, string> = {
  String: 'a text',
  Integer: 'a whole number',
  Float: 'a number',
  Boolean: 'a condition',
  DateTime: 'a time',
  Date: 'a date',
  Interval: 'an interval',
  Null: 'NULL',
}

export const isNumber = ({ type }: Expression): boolean => type === 'Integer' || type === 'Float'

/** Returns the common type of two values, as in the branches of an `if`; undefined if there is none. */
export function commonType(a: Type, b: Type): Type | undefined {
  if (a === b || b === 'Null') return a
  if (a === 'Null') return b
  const both = [a, b].toSorted().join()
  if (both === 'Float,Integer') return 'Float'
  if (both === 'Date,DateTime') return 'DateTime'
  return undefined
}

export function findCommonType(expressions: readonly Expression[], where: string): Type {
  return expressions.reduce<Type>((type, next) => {
    const common = commonType(type, next.type)
    if (common) return common
    throw refuse(
      `${where} mixes ${TYPE_NAMES[type]} and ${TYPE_NAMES[next.type]}. Convert one with toString, toFloat or toInt.`,
    )
  }, 'Null')
}

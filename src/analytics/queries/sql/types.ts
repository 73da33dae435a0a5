import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { refuse, tooComplex } from './errors.ts'

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

/** Types are known before any database is asked, so that both are asked the same and nothing fails half-way. */
export interface Expression {
  readonly type: Type
  readonly render: (table: EventTable) => Sql
  /** Counts the pieces it is written with: some functions write their argument more than once. */
  readonly weight: number
  /** The value, when it is known at compile time. */
  readonly constant?: string | number | boolean | null
}

const MAX_WEIGHT = 20_000

/** `copies` is how often the arguments are written. */
export function expression(
  type: Type,
  args: readonly Expression[],
  write: (table: EventTable, ...written: Sql[]) => Sql,
  copies = 1,
): Expression {
  const weight = args.reduce((sum, arg) => sum + arg.weight * copies, 1)
  if (weight > MAX_WEIGHT) throw tooComplex()
  return {
    type,
    weight,
    render: (table) => write(table, ...args.map((arg) => arg.render(table))),
  }
}

export function constant(value: string | number | boolean | null, type: Type): Expression {
  // a driver takes 1e300 for a whole number, and fails
  const bound = type === 'Float' && value !== null ? String(value) : value
  return { type, weight: 1, constant: value, render: () => sql`${bound}::${SQL_TYPES[type]}` }
}

/** Written alike by both databases. */
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

export const WORDS: Record<Type, string> = {
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

export function commonTypeOf(expressions: readonly Expression[], where: string): Type {
  return expressions.reduce<Type>((type, next) => {
    const common = commonType(type, next.type)
    if (common) return common
    throw refuse(
      `${where} mixes ${WORDS[type]} and ${WORDS[next.type]}. Convert one with toString, toFloat or toInt.`,
    )
  }, 'Null')
}

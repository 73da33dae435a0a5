import type { Sql } from '#server/analytics/event-table.ts'
import { convert } from '../convert.ts'
import { refuse } from '../errors.ts'
import type { NameScope } from '../scope.ts'
import { type Expression, expression, type Type } from '../types.ts'

/** A function that users can call: its number of arguments and its SQL in both databases. */
export interface Callable {
  readonly least: number
  readonly most: number
  readonly call: (args: readonly Expression[], scope: NameScope) => Expression
}

export type Callables = Readonly<Record<string, Callable>>

/** Builds a function that converts its arguments to these types and returns one expression. */
export const simpleFunction = (
  takes: readonly Type[],
  gives: Type,
  write: (...args: [Sql, Sql, Sql]) => Sql,
): Callable => ({
  least: takes.length,
  most: takes.length,
  call: (args, { context }) =>
    expression(
      gives,
      args.map((arg, n) => convert(arg, takes[n] ?? arg.type, context)),
      (_, ...written) => write(...(written as [Sql, Sql, Sql])),
    ),
})

export function parseText(argument: Expression | undefined, what: string): string {
  if (typeof argument?.constant === 'string') return argument.constant
  throw refuse(`${what} must be a text that is written out.`)
}

export function toWhole(argument: Expression | undefined, what: string, most: number): number {
  const value = argument?.constant
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most)
    return value
  throw refuse(`${what} must be a whole number from 0 to ${most} that is written out.`)
}

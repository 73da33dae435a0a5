import { sql } from 'kysely'
import { choose, coalesce } from '../choices.ts'
import { compareAll } from '../comparisons.ts'
import { convert } from '../convert.ts'
import { refuse } from '../errors.ts'
import { constant, type Expression, expression, type Type } from '../types.ts'
import type { Callable, Callables } from './callable.ts'

const conversion = (type: Type): Callable => ({
  least: 1,
  most: 1,
  call: ([value], { context }) => convert(value ?? constant(null, type), type, context),
})

/** Takes conditions and results in turn, then a default. `if` has a single condition. */
const multiIf: Callable = {
  least: 3,
  most: 99,
  call(args, scope) {
    if (args.length % 2 === 0)
      throw refuse('multiIf takes conditions and results in turns, and a last result.')
    const branches: [Expression, Expression][] = []
    for (let n = 0; n + 1 < args.length; n += 2) {
      const [condition, result] = args.slice(n, n + 2) as [Expression, Expression]
      branches.push([convert(condition, 'Boolean', scope.context), result])
    }
    return choose(branches, args.at(-1) as Expression, scope)
  },
}

const nullIf: Callable = {
  least: 2,
  most: 2,
  call(args, { context }) {
    const values = compareAll(args, context)
    return expression(values[0]?.type ?? 'Null', values, (_, a, b) => sql`nullif(${a}, ${b})`)
  },
}

const ifNull: Callable = { least: 2, most: 2, call: coalesce }

export const VALUE_FUNCTIONS: Callables = {
  tofloat: conversion('Float'),
  tofloat64: conversion('Float'),
  toint: conversion('Integer'),
  toint64: conversion('Integer'),
  tostring: conversion('String'),
  tobool: conversion('Boolean'),
  multiif: multiIf,
  if: multiIf,
  nullif: nullIf,
  ifnull: ifNull,
}

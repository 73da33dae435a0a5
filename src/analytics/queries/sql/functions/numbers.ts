import { sql } from 'kysely'
import type { Sql } from '#server/analytics/event-table.ts'
import { convert } from '../convert.ts'
import { refuse } from '../errors.ts'
import type { NameScope } from '../scope.ts'
import { type Expression, expression, isNumber, TYPE_NAMES } from '../types.ts'
import type { Callable } from './callable.ts'
import { type Callables, simpleFunction, toWhole } from './callable.ts'
import { addTime } from './dates.ts'

const MOST_DIGITS = 10

/** Returns a whole number for two whole numbers, otherwise a double. */
function numeric(args: readonly Expression[], { context }: NameScope): readonly Expression[] {
  for (const { type } of args) {
    if (['Boolean', 'DateTime', 'Date', 'Interval'].includes(type)) {
      throw refuse(
        `${TYPE_NAMES[type]} is not a number. For times use dateDiff, for conditions countIf.`,
      )
    }
  }
  const type = args.every((arg) => arg.type === 'Integer') ? 'Integer' : 'Float'
  return args.map((arg) => convert(arg, type, context))
}

const arithmetic = (operator: '+' | '-' | '*'): Callable => ({
  least: 2,
  most: 2,
  call(args, scope) {
    const numbers = numeric(args, scope)
    const type = numbers[0]?.type ?? 'Float'
    return expression(type, numbers, (table, a, b) =>
      type === 'Integer'
        ? table.compute(a as Sql, operator, b as Sql)
        : sql`(${a} ${sql.raw(operator)} ${b})`,
    )
  },
})

const withTimes = (sign: 1 | -1, numbers: Callable): Callable => ({
  least: sign === 1 ? 2 : 1,
  most: 2,
  call(args, scope) {
    const [value] = args
    if (args.length === 1) {
      const [number] = numeric(args, scope)
      return expression(number?.type ?? 'Float', number ? [number] : [], (_, x) => sql`(- ${x})`)
    }
    const hasTime = args.some(({ type }) => ['DateTime', 'Date', 'Interval'].includes(type))
    return hasTime && value ? addTime(args, sign, scope) : numbers.call(args, scope)
  },
})

/** Returns null for a division by zero, on both databases. */
const divide = simpleFunction(['Float', 'Float'], 'Float', (a, b) => sql`(${a} / nullif(${b}, 0))`)

const remainder: Callable = {
  least: 2,
  most: 2,
  call(args) {
    if (!args.every(({ type }) => type === 'Integer')) {
      throw refuse('% needs two whole numbers. Convert them with toInt.')
    }
    return expression('Integer', args, (_, a, b) => sql`(${a} % nullif(${b}, 0))`)
  },
}

/** Rounds halves up, as JavaScript does: PostgreSQL rounds to even and DuckDB away from zero. */
const round: Callable = {
  least: 1,
  most: 2,
  call([value, digits], { context }) {
    const scale = digits ? 10 ** toWhole(digits, 'The number of digits', MOST_DIGITS) : 1
    const number = value ? [convert(value, 'Float', context)] : []
    return expression(
      'Float',
      number,
      (_, x) => sql`(ceil(floor(${x} * ${sql.lit(scale * 2)}) / 2) / ${sql.lit(scale)})`,
    )
  },
}

/** Returns null for a number without a logarithm or root. */
const guarded = (name: string, isDefined: ReturnType<typeof sql>): Callable => ({
  least: 1,
  most: 1,
  call: (args, { context }) =>
    expression(
      'Float',
      args.map((arg) => convert(arg, 'Float', context)),
      (_, x) => sql`(case when ${x} ${isDefined} then ${sql.raw(name)}(${x}) end)`,
      2,
    ),
})

const extreme = (name: 'greatest' | 'least'): Callable => ({
  least: 2,
  most: 20,
  call(args, scope) {
    const same = args.every(isNumber)
      ? numeric(args, scope)
      : args.map((arg) => convert(arg, 'DateTime', scope.context))
    return expression(
      same[0]?.type ?? 'Float',
      same,
      (_, ...written) => sql`${sql.raw(name)}(${sql.join(written)})`,
    )
  },
})

const absolute: Callable = {
  least: 1,
  most: 1,
  call(args, scope) {
    const numbers = numeric(args, scope)
    return expression(numbers[0]?.type ?? 'Float', numbers, (_, x) => sql`abs(${x})`)
  },
}

const ceiling = simpleFunction(['Float'], 'Float', (x) => sql`ceil(${x})`)
const wholeDivision = simpleFunction(
  ['Float', 'Float'],
  'Float',
  (a, b) => sql`trunc(${a} / nullif(${b}, 0))`,
)

export const NUMBER_FUNCTIONS: Callables = {
  '+': withTimes(1, arithmetic('+')),
  '-': withTimes(-1, arithmetic('-')),
  '*': arithmetic('*'),
  '/': divide,
  divide,
  '//': wholeDivision,
  intdiv: wholeDivision,
  '%': remainder,
  mod: remainder,
  modulo: remainder,
  round,
  floor: simpleFunction(['Float'], 'Float', (x) => sql`floor(${x})`),
  ceil: ceiling,
  ceiling,
  trunc: simpleFunction(['Float'], 'Float', (x) => sql`trunc(${x})`),
  abs: absolute,
  sign: simpleFunction(['Float'], 'Float', (x) => sql`sign(${x})`),
  sqrt: guarded('sqrt', sql`>= 0`),
  ln: guarded('ln', sql`> 0`),
  log: guarded('ln', sql`> 0`),
  exp: guarded('exp', sql`between -700 and 700`),
  greatest: extreme('greatest'),
  least: extreme('least'),
}

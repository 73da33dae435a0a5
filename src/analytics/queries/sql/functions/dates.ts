import { sql } from 'kysely'
import type { Sql } from '#server/analytics/event-table.ts'
import { convert } from '../convert.ts'
import { refuse } from '../errors.ts'
import type { IntervalExpression } from '../intervals.ts'
import type { CompileContext, NameScope } from '../scope.ts'
import { dayIn } from '../times.ts'
import { constant, type Expression, expression, TYPE_NAMES, type Type } from '../types.ts'
import type { Callable } from './callable.ts'
import { type Callables, parseText } from './callable.ts'

const DAY_MS = 86_400_000
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

const toLocal = (time: Sql, { zone }: CompileContext): Sql =>
  sql`((${time}) at time zone ${zone}::text)`

/** Days and months follow the project's time zone; hours have a fixed length. */
export function addTime(
  args: readonly Expression[],
  sign: 1 | -1,
  { context }: NameScope,
): Expression {
  const [a, b] = args as [Expression, Expression]
  const operator = sign === 1 ? sql`+` : sql`-`
  if (sign === -1 && a.type === 'Date' && b.type === 'Date') {
    return expression('Integer', [a, b], (_, x, y) => sql`((${x}) - (${y}))::bigint`)
  }
  if (a.type === 'Interval' && sign === 1 && b.type !== 'Interval')
    return addTime([b, a], 1, { context } as NameScope)
  if (a.type === 'Date' && b.type === 'Integer') {
    return expression('Date', [a, b], (_, x, days) => sql`((${x}) ${operator} (${days})::int)`)
  }
  if (b.type !== 'Interval' || (a.type !== 'Date' && a.type !== 'DateTime')) {
    throw refuse(
      `${TYPE_NAMES[a.type]} and ${TYPE_NAMES[b.type]} cannot be ${sign === 1 ? 'added' : 'subtracted'}. Add an interval to a time, or use dateDiff for the time between two.`,
    )
  }
  const { seconds, days, months } = b as IntervalExpression
  if (a.type === 'Date' && seconds === 0) {
    return expression('Date', [a, b], (_, x, y) => sql`((${x}) ${operator} ${y})::date`)
  }
  const time = convert(a, 'DateTime', context)
  return expression('DateTime', [time, b], (_, x, y) =>
    days === 0 && months === 0
      ? sql`((${x}) ${operator} ${y})`
      : sql`((${toLocal(x as Sql, context)} ${operator} ${y}) at time zone ${context.zone}::text)`,
  )
}

/** Truncates a time to a unit, in the project's time zone. */
function startOf(unit: string, time: Expression, type: Type, context: CompileContext): Expression {
  return expression(type, [convert(time, 'DateTime', context)], (_, x) => {
    const start = sql`date_trunc(${sql.lit(unit)}, ${toLocal(x as Sql, context)})`
    return type === 'Date'
      ? sql`(${start})::date`
      : sql`(${start} at time zone ${context.zone}::text)`
  })
}

const starts = (unit: string, type: Type): Callable => ({
  least: 1,
  most: 1,
  call: ([time], { context }) => startOf(unit, time as Expression, type, context),
})

/** Weeks begin on Sunday, as in PostHog, or on Monday with mode 1 or 3. */
const startOfWeek: Callable = {
  least: 1,
  most: 2,
  call([time, mode], { context }) {
    if (mode && mode.constant !== 0) return startOf('week', time as Expression, 'Date', context)
    const day = convert(time as Expression, 'Date', context)
    return expression(
      'Date',
      [day],
      (_, x) => sql`((date_trunc('week', ((${x}) + 1)::timestamp))::date - 1)`,
    )
  },
}

const truncate: Callable = {
  least: 2,
  most: 2,
  call([unit, time], { context }) {
    return startOf(parseUnit(unit), time as Expression, 'DateTime', context)
  },
}

function parseUnit(argument: Expression | undefined): string {
  const unit = parseText(argument, 'A unit').toLowerCase().replace(/s$/, '')
  if (UNITS.includes(unit)) return unit
  throw refuse(`'${unit.slice(0, 20)}' is not a unit. Units are ${UNITS.join(', ')}.`)
}

/** Counts the starts of a unit between two times, in the project's time zone. */
const difference: Callable = {
  least: 3,
  most: 3,
  call([unitText, from, to], { context }) {
    const unit = parseUnit(unitText)
    const times = [from, to].map((time) => convert(time as Expression, 'DateTime', context))
    const ordinal = ORDINALS[unit] ?? seconds(1)
    return expression(
      'Integer',
      times,
      (_, a, b) => sql`(${ordinal(b as Sql, context)} - ${ordinal(a as Sql, context)})`,
      2,
    )
  },
}

type Ordinal = (time: Sql, context: CompileContext) => Sql

const seconds =
  (length: number): Ordinal =>
  (time) =>
    sql`floor(extract(epoch from (${time})) / ${sql.lit(length)})::bigint`

const localDays =
  (unit: string, length: number): Ordinal =>
  (time, context) =>
    sql`floor(extract(epoch from date_trunc(${sql.lit(unit)}, ${toLocal(time, context)})) / ${sql.lit(length)})::bigint`

const months =
  (length: number): Ordinal =>
  (time, context) =>
    sql`floor((extract(year from ${toLocal(time, context)}) * 12 + extract(month from ${toLocal(time, context)}) - 1) / ${sql.lit(length)})::bigint`

const ORDINALS: Record<string, Ordinal> = {
  second: seconds(1),
  minute: seconds(60),
  hour: seconds(3600),
  day: localDays('day', 86_400),
  week: localDays('week', 604_800),
  month: months(1),
  quarter: months(3),
  year: months(12),
}

const part = (field: string): Callable => ({
  least: 1,
  most: 1,
  call: ([time], { context }) =>
    expression(
      'Integer',
      [convert(time as Expression, 'DateTime', context)],
      (_, x) => sql`floor(extract(${sql.raw(field)} from ${toLocal(x as Sql, context)}))::bigint`,
    ),
})

/** Fields that may be extracted, as written into the statement. */
const FIELDS: Record<string, string> = {
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  week: 'week',
  day: 'day',
  hour: 'hour',
  minute: 'minute',
  second: 'second',
  isodow: 'isodow',
  doy: 'doy',
  dow: 'dow',
}

const extract: Callable = {
  least: 2,
  most: 2,
  call([field, time], scope) {
    const name = parseText(field, 'What is extracted').toLowerCase()
    if (name === 'epoch') return convert(time as Expression, 'Integer', scope.context)
    const known = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    if (!known) throw refuse(`'${name.slice(0, 20)}' cannot be extracted from a time.`)
    return part(known).call([time as Expression], scope)
  },
}

const moment = (
  type: 'Date' | 'DateTime',
  value: (context: CompileContext) => string,
): Callable => ({
  least: 0,
  most: 0,
  call: (_, { context }) => constant(value(context), type),
})

const toTime = (type: Type): Callable => ({
  least: 1,
  most: 1,
  call: ([value], { context }) => convert(value as Expression, type, context),
})

const unixTime: Callable = {
  least: 1,
  most: 1,
  call: ([time], { context }) =>
    convert(convert(time as Expression, 'DateTime', context), 'Integer', context),
}

export const DATE_FUNCTIONS: Callables = {
  now: moment('DateTime', ({ now }) => now.toISOString()),
  today: moment('Date', ({ zone, now }) => dayIn(zone, now)),
  yesterday: moment('Date', ({ zone, now }) => previous(dayIn(zone, now))),
  todate: toTime('Date'),
  todatetime: toTime('DateTime'),
  tounixtimestamp: unixTime,
  tostartofminute: starts('minute', 'DateTime'),
  tostartofhour: starts('hour', 'DateTime'),
  tostartofday: starts('day', 'DateTime'),
  tostartofweek: startOfWeek,
  tomonday: starts('week', 'Date'),
  tostartofmonth: starts('month', 'Date'),
  tostartofquarter: starts('quarter', 'Date'),
  tostartofyear: starts('year', 'Date'),
  date_trunc: truncate,
  datetrunc: truncate,
  datediff: difference,
  date_diff: difference,
  date_part: extract,
  toyear: part('year'),
  toquarter: part('quarter'),
  tomonth: part('month'),
  todayofmonth: part('day'),
  todayofweek: part('isodow'),
  tohour: part('hour'),
  tominute: part('minute'),
  year: part('year'),
  month: part('month'),
  day: part('day'),
  hour: part('hour'),
}

const previous = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)

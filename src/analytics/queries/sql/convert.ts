import { sql } from 'kysely'
import { refuse } from './errors.ts'
import type { CompileContext } from './scope.ts'
import { toDateText, toTimeText } from './times.ts'
import { constant, type Expression, expression, SQL_TYPES, TYPE_NAMES, type Type } from './types.ts'

type Convert = (value: Expression, context: CompileContext) => Expression

/** Doubles skip whole numbers above this one. */
const SAFE = sql.lit(Number.MAX_SAFE_INTEGER)

/** The two databases format larger doubles differently. */
const LARGEST_TEXT = sql`1e15::double precision`

const cast =
  (type: Type): Convert =>
  (value) =>
    expression(type, [value], (_, x) => sql`(${x})::${SQL_TYPES[type]}`)

const numberToBoolean: Convert = (value) =>
  expression('Boolean', [value], (_, x) => sql`((${x}) <> 0)`)

const toNumber: Convert = (value) =>
  expression('Float', [value], (table, x) => sql`(${table.toNumber(x)})`, 4)

/** Truncates; a number that is too large becomes null instead of an error. */
const cut: Convert = (value) =>
  expression(
    'Integer',
    [value],
    (_, x) => sql`(case when abs(${x}) <= ${SAFE} then trunc(${x})::bigint end)`,
    2,
  )

const numberToTime: Convert = (value) =>
  expression('DateTime', [value], (_, x) => sql`to_timestamp((${x})::double precision)`)

const CONVERSIONS: Record<string, Convert> = {
  'Integer Float': cast('Float'),
  'Integer String': cast('String'),
  'Integer Boolean': numberToBoolean,
  'Integer DateTime': numberToTime,
  'Float Integer': cut,
  'Float Boolean': numberToBoolean,
  'Float DateTime': numberToTime,
  'Float String': (value) =>
    expression(
      'String',
      [value],
      (_, x) =>
        sql`(case when abs(${x}) < ${LARGEST_TEXT} then regexp_replace((${x})::text, '\\.0$', '') end)`,
      2,
    ),
  'Boolean String': cast('String'),
  'Boolean Integer': (value) =>
    expression('Integer', [value], (_, x) => sql`((${x})::int)::bigint`),
  'Boolean Float': (value) =>
    expression('Float', [value], (_, x) => sql`((${x})::int)::double precision`),
  'String Float': toNumber,
  'String Integer': (value, context) => cut(toNumber(value, context), context),
  'String Boolean': (value) =>
    expression(
      'Boolean',
      [value],
      (_, x) =>
        sql`(case ${x} when 'true' then true when '1' then true when 'false' then false when '0' then false end)`,
    ),
  'String DateTime': (value, { zone }) => {
    const { text, hasZone } = toTimeText(value.constant)
    return expression('DateTime', [], () =>
      hasZone ? sql`${text}::timestamptz` : sql`(${text}::timestamp at time zone ${zone}::text)`,
    )
  },
  'String Date': (value) => constant(toDateText(value.constant), 'Date'),
  'DateTime String': (value, { zone }) =>
    expression('String', [value], (_, x) => sql`((${x}) at time zone ${zone}::text)::text`),
  'DateTime Date': (value, { zone }) =>
    expression('Date', [value], (_, x) => sql`((${x}) at time zone ${zone}::text)::date`),
  'DateTime Integer': (value) =>
    expression('Integer', [value], (_, x) => sql`floor(extract(epoch from (${x})))::bigint`),
  'Date DateTime': (value, { zone }) =>
    expression('DateTime', [value], (_, x) => sql`((${x})::timestamp at time zone ${zone}::text)`),
  'Date String': cast('String'),
}

/** Converts to a type; a value that cannot be converted becomes null. */
export function convert(value: Expression, type: Type, context: CompileContext): Expression {
  if (value.type === type) return value
  if (value.type === 'Null') return constant(null, type)
  const conversion = CONVERSIONS[`${value.type} ${type}`]
  if (!conversion) throw refuse(`${TYPE_NAMES[value.type]} cannot be made ${TYPE_NAMES[type]}.`)
  return conversion(value, context)
}

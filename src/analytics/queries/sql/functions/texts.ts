import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { convert } from '../convert.ts'
import { refuse } from '../errors.ts'
import { expression } from '../types.ts'
import type { Callable } from './callable.ts'
import { type Callables, simpleFunction, textOf } from './callable.ts'

/** Keeps repeated concatenation from filling the memory. */
const LONGEST_JOINED = 10_000
const MOST_JOINED = 50

const join = (name: string): Callable => ({
  least: name === '||' ? 2 : 1,
  most: MOST_JOINED,
  call: (args, { context }) =>
    expression(
      'String',
      args.map((arg) => convert(arg, 'String', context)),
      (_, ...written) =>
        name === '||'
          ? sql`left(${sql.join(written, sql` || `)}, ${sql.lit(LONGEST_JOINED)})`
          : sql`left(concat(${sql.join(written)}), ${sql.lit(LONGEST_JOINED)})`,
    ),
})

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Converts A to Z only: for other letters PostgreSQL depends on the database's locale, and DuckDB on Unicode. */
const lower = (text: Sql): Sql =>
  sql`translate(${text}, ${sql.lit(UPPER)}, ${sql.lit(UPPER.toLowerCase())})`
const upper = (text: Sql): Sql =>
  sql`translate(${text}, ${sql.lit(UPPER.toLowerCase())}, ${sql.lit(UPPER)})`

const like = (prepare: (text: Sql) => Sql, word: Sql): Callable => ({
  least: 2,
  most: 2,
  call(args, { context }) {
    const [text, pattern] = args.map((arg) => convert(arg, 'String', context))
    // PostgreSQL would fail, but only if there is a row
    if (/(^|[^\\])(\\\\)*\\$/.test(textOf(pattern, 'What LIKE looks for'))) {
      throw refuse('A pattern may not end with \\. Write \\\\ for a backslash.')
    }
    return expression(
      'Boolean',
      text && pattern ? [text, pattern] : [],
      (_, a, b) => sql`(${prepare(a as Sql)} ${word} ${prepare(b as Sql)} escape '\\')`,
    )
  },
})

const same = (text: Sql): Sql => text

/** Matches syntax that only one database's regular expressions have. */
const UNCOMMON = /\(\?|\\[1-9bBAzZmMyY<>]|\[\[[.:=]|[*+?}][+]/

/** PostgreSQL and DuckDB agree on simple expressions; DuckDB's tree calls `~` a full match. */
const matches = (negated = false): Callable => ({
  least: 2,
  most: 2,
  call(args, { context }) {
    const [text, pattern] = args.map((arg) => convert(arg, 'String', context))
    const expressionText = textOf(pattern, 'A regular expression')
    if (UNCOMMON.test(expressionText) || !isExpression(expressionText)) {
      throw refuse(
        'The regular expression is not valid, or has parts (?...), \\1, \\b or possessive quantifiers, which are not available.',
      )
    }
    const write = (table: EventTable, x: Sql) =>
      negated
        ? sql`(not ${table.matches(x, expressionText)})`
        : sql`(${table.matches(x, expressionText)})`
    return expression('Boolean', text ? [text] : [], (table, x) => write(table, x as Sql))
  },
})

function isExpression(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'u'))
  } catch {
    return false
  }
}

const position = simpleFunction(
  ['String', 'String'],
  'Integer',
  (text, part) => sql`strpos(${text}, ${part})::bigint`,
)
const length = simpleFunction(['String'], 'Integer', (text) => sql`length(${text})::bigint`)

/** Counts from 1 and ignores positions outside the text, on both databases. */
const clamp = (number: Sql, least: number): Sql =>
  sql`least(greatest(${number}, ${sql.lit(least)}), 1000000)::int`

const substring: Callable = {
  least: 2,
  most: 3,
  call(args, { context }) {
    const [text, ...numbers] = args
    const values = [
      ...(text ? [convert(text, 'String', context)] : []),
      ...numbers.map((number) => convert(number, 'Integer', context)),
    ]
    return expression('String', values, (_, x, from, count) =>
      count
        ? sql`substring(${x}, ${clamp(from as Sql, 1)}, ${clamp(count, 0)})`
        : sql`substring(${x}, ${clamp(from as Sql, 1)})`,
    )
  },
}

/** Refuses a replacement longer than the replaced part: it could grow short texts without bound. */
const replace: Callable = {
  least: 3,
  most: 3,
  call([text, from, to], { context }) {
    const [part, other] = [textOf(from, 'What is replaced'), textOf(to, 'A replacement')]
    if (part === '' || other.length > part.length) {
      throw refuse('A replacement may not be longer than what it replaces.')
    }
    const args = text ? [convert(text, 'String', context)] : []
    return expression('String', args, (_, x) => sql`replace(${x}, ${part}::text, ${other}::text)`)
  },
}

const starts = simpleFunction(
  ['String', 'String'],
  'Boolean',
  (a, b) => sql`starts_with(${a}, ${b})`,
)

export const TEXT_FUNCTIONS: Callables = {
  '||': join('||'),
  concat: join('concat'),
  lower: simpleFunction(['String'], 'String', lower),
  upper: simpleFunction(['String'], 'String', upper),
  length,
  char_length: length,
  substring,
  substr: substring,
  left: simpleFunction(['String', 'Integer'], 'String', (x, n) => sql`left(${x}, ${clamp(n, 0)})`),
  right: simpleFunction(
    ['String', 'Integer'],
    'String',
    (x, n) => sql`right(${x}, ${clamp(n, 0)})`,
  ),
  trim: simpleFunction(['String'], 'String', (x) => sql`trim(${x})`),
  replace,
  replaceall: replace,
  position,
  strpos: position,
  startswith: starts,
  starts_with: starts,
  empty: simpleFunction(['String'], 'Boolean', (x) => sql`(coalesce(${x}, '') = '')`),
  notempty: simpleFunction(['String'], 'Boolean', (x) => sql`(coalesce(${x}, '') <> '')`),
  match: matches(),
  regexp_matches: matches(),
  '~~': like(same, sql`like`),
  like: like(same, sql`like`),
  '!~~': like(same, sql`not like`),
  notlike: like(same, sql`not like`),
  '~~*': like(lower, sql`like`),
  ilike: like(lower, sql`like`),
  '!~~*': like(lower, sql`not like`),
  notilike: like(lower, sql`not like`),
}

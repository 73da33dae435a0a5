import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { convert } from '../convert.ts'
import { refuse } from '../errors.ts'
import { type Expression, expression } from '../types.ts'
import type { Callable } from './callable.ts'
import { type Callables, parseText, simpleFunction } from './callable.ts'

/** Keeps repeated concatenation from filling the memory. */
const LONGEST_JOINED = 10_000
const MOST_JOINED = 50

const join = (name: string): Callable => ({
  least: name === '||' ? 2 : 1,
  most: MOST_JOINED,
  call(args, { context }) {
    const texts = args.map((arg) => convert(arg, 'String', context))
    const length = texts.reduce((sum, { longest }) => sum + longest, 0)
    context.spendText('joins', length)
    const joined = expression('String', texts, (_, ...written) =>
      name === '||'
        ? sql`left(${sql.join(written, sql` || `)}, ${sql.lit(LONGEST_JOINED)})`
        : sql`left(concat(${sql.join(written)}), ${sql.lit(LONGEST_JOINED)})`,
    )
    return { ...joined, longest: Math.min(length, LONGEST_JOINED) }
  },
})

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Converts A to Z only: for other letters PostgreSQL depends on the database's locale, and DuckDB on Unicode. */
const lower = (text: Sql): Sql =>
  sql`translate(${text}, ${sql.lit(UPPER)}, ${sql.lit(UPPER.toLowerCase())})`
const upper = (text: Sql): Sql =>
  sql`translate(${text}, ${sql.lit(UPPER.toLowerCase())}, ${sql.lit(UPPER)})`

/** Longer patterns would take long to compile, or fail. */
const LONGEST_PATTERN = 1000

function requirePattern(argument: Expression | undefined, what: string): string {
  const pattern = parseText(argument, what)
  if (pattern.length <= LONGEST_PATTERN) return pattern
  throw refuse(`${what} has at most ${LONGEST_PATTERN.toLocaleString('en')} characters.`)
}

const like = ({ ignoresCase = false, negated = false }): Callable => ({
  least: 2,
  most: 2,
  call([text, pattern], { context }) {
    const given = requirePattern(pattern, 'The pattern of LIKE')
    // PostgreSQL would fail, but only if there is a row
    if (/(^|[^\\])(\\\\)*\\$/.test(given)) {
      throw refuse('A pattern may not end with \\. Write \\\\ for a backslash.')
    }
    const args = text ? [convert(text, 'String', context)] : []
    for (const { longest } of args) context.spendText('searches', longest)
    return expression('Boolean', args, (table, x) => {
      const written = ignoresCase
        ? table.like(
            lower(x as Sql),
            given.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
          )
        : table.like(x as Sql, given)
      return negated ? sql`(not (${written}))` : sql`(${written})`
    })
  },
})

/** Matches syntax that only one database's regular expressions have. */
const UNCOMMON = /\(\?|\\[1-9bBAzZmMyY<>]|\[\[[.:=]|[*+?}][+]/

/** PostgreSQL and DuckDB agree on simple expressions; DuckDB's tree calls `~` a full match. */
const matches = (negated = false): Callable => ({
  least: 2,
  most: 2,
  call(args, { context }) {
    const [text, pattern] = args.map((arg) => convert(arg, 'String', context))
    const expressionText = requirePattern(pattern, 'A regular expression')
    if (UNCOMMON.test(expressionText) || !isExpression(expressionText)) {
      throw refuse(
        'The regular expression is not valid, or has parts (?...), \\1, \\b or possessive quantifiers, which are not available.',
      )
    }
    context.spendText('searches', text?.longest ?? 0)
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

/** Takes a text and the number of characters to keep. */
const shortened = (write: (text: Sql, count: Sql) => Sql): Callable => {
  const whole = simpleFunction(['String', 'Integer'], 'String', write)
  return {
    ...whole,
    call(args, scope) {
      const kept = args[1]?.constant
      const text = whole.call(args, scope)
      return typeof kept === 'number' ? { ...text, longest: Math.min(text.longest, kept) } : text
    },
  }
}

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
    const [part, other] = [parseText(from, 'What is replaced'), parseText(to, 'A replacement')]
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
  left: shortened((x, n) => sql`left(${x}, ${clamp(n, 0)})`),
  right: shortened((x, n) => sql`right(${x}, ${clamp(n, 0)})`),
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
  '~~': like({}),
  like: like({}),
  '!~~': like({ negated: true }),
  notlike: like({ negated: true }),
  '~~*': like({ ignoresCase: true }),
  ilike: like({ ignoresCase: true }),
  '!~~*': like({ ignoresCase: true, negated: true }),
  notilike: like({ ignoresCase: true, negated: true }),
}

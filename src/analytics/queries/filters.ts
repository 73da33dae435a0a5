import { sql } from 'kysely'
import type {
  EventsNode,
  Properties,
  PropertyFilter,
  PropertyGroup,
} from '#model/query-kinds/common.schema.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { invalid } from '#server/errors.ts'
import { toStoredText } from '../event-row.ts'
import type { EventTable, Sql } from '../event-table.ts'
import type { CohortSets } from './cohort-definitions.ts'
import { type ColumnRef, isMetadata, toTextColumn } from './columns.ts'
import { type Calendar, parseDate } from './parse-date.ts'
import type { ImportRows } from './sql/imports.ts'

export interface FilterContext extends Calendar {
  readonly cohorts: CohortSets
  /** The column with a person's number. Default: the event's. */
  readonly personNumber?: Sql
  /** The rows of the import tables, for SQL that names them. */
  readonly imports?: ImportRows
}

export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`

/** Matches the events that a series counts. */
export const matchesNode = (
  table: EventTable,
  node: EventsNode,
  context: FilterContext,
  attr: string,
): Sql =>
  and([
    ...(node.event ? [sql`e.event = ${toStoredText(node.event)}::text`] : []),
    ...(node.rules ? [matches(table, node.rules, context, `${attr}__id`)] : []),
    ...(node.properties ? [matches(table, node.properties, context, `${attr}__properties`)] : []),
  ])

/** Matches events with these properties. */
export function matches(
  table: EventTable,
  properties: Properties,
  context: FilterContext,
  attr: string,
): Sql {
  if (isList(properties)) {
    return and(
      properties.map((each, index) => matchesOne(table, each, context, `${attr}__${index}`)),
    )
  }
  return matchesGroup(table, properties, context, attr)
}

const isList = (properties: Properties): properties is readonly PropertyFilter[] =>
  Array.isArray(properties)

function matchesGroup(
  table: EventTable,
  group: PropertyGroup,
  context: FilterContext,
  attr: string,
): Sql {
  const conditions = group.values.map((each, index) => {
    const at = `${attr}__values__${index}`
    return 'values' in each
      ? matchesGroup(table, each, context, at)
      : matchesOne(table, each, context, at)
  })
  if (group.type === 'AND' || conditions.length === 0) return and(conditions)
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** Compiles one filter. A missing property equals no value, so it satisfies the negated operators. */
export function matchesOne(
  table: EventTable,
  filter: PropertyFilter,
  context: FilterContext,
  attr: string,
): Sql {
  const { type } = filter
  if (type === 'cohort') return isInCohort(table, filter, context, attr)
  const text = toTextColumn(table, toColumnRef(filter, type), `${attr}__key`)
  const operator = filter.operator ?? 'exact'
  const unless = (condition: Sql) => sql`not coalesce(${condition}, false)`
  const holds = (condition: Sql) => sql`coalesce(${condition}, false)`
  switch (operator) {
    case 'is_set':
      return sql`${text} is not null`
    case 'is_not_set':
      return sql`${text} is null`
    case 'exact':
    case 'in':
      return holds(isOneOf(text, parseValues(filter, attr)))
    case 'is_not':
    case 'not_in':
      return unless(isOneOf(text, parseValues(filter, attr)))
    case 'icontains':
      return holds(containsOne(table, text, parseValues(filter, attr)))
    case 'not_icontains':
      return unless(containsOne(table, text, parseValues(filter, attr)))
    case 'regex':
      return holds(table.matches(text, parsePattern(filter, attr)))
    case 'not_regex':
      return unless(table.matches(text, parsePattern(filter, attr)))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return holds(compare(table, text, operator, parseNumbers(filter, attr, 1)[0] as number))
    case 'between':
      return holds(isBetween(table, text, filter, attr))
    case 'not_between':
      return unless(isBetween(table, text, filter, attr))
    default:
      return holds(compareDates(text, filter, context, attr))
  }
}

function isInCohort(
  table: EventTable,
  filter: PropertyFilter,
  { cohorts, personNumber = sql`e.person` }: FilterContext,
  attr: string,
): Sql {
  const operator = filter.operator ?? 'exact'
  const isIn = operator === 'exact' || operator === 'in'
  if (!isIn && operator !== 'is_not' && operator !== 'not_in') {
    throw invalid(`${attr}__operator`, 'A cohort has persons "in" it or "not_in" it.')
  }
  const [id, ...others] = parseValues(filter, attr).map(Number)
  if (others.length > 0 || !Number.isSafeInteger(id)) {
    throw invalid(`${attr}__value`, 'Enter the ID of one cohort.')
  }
  const numbers = cohorts.numbersOf(table, id as number, `${attr}__value`)
  return sql`${personNumber} ${sql.raw(isIn ? 'in' : 'not in')} (${numbers})`
}

const isOneOf = (text: Sql, values: readonly string[]): Sql =>
  sql`${text} in (${sql.join(values.map((value) => sql`${value}::text`))})`

/** Ignores case, and treats `%` and `_` literally. */
const containsOne = (table: EventTable, text: Sql, values: readonly string[]): Sql =>
  sql`(${sql.join(
    values.map(
      (value) => sql`strpos(${table.lower(text)}, ${table.lower(sql`${value}::text`)}) > 0`,
    ),
    sql` or `,
  )})`

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

const compare = (table: EventTable, text: Sql, operator: keyof typeof SIGNS, number: number): Sql =>
  sql`${table.toNumber(text)} ${sql.raw(SIGNS[operator])} ${toDouble(number)}`

function isBetween(table: EventTable, text: Sql, filter: PropertyFilter, attr: string): Sql {
  const [low, high] = parseNumbers(filter, attr, 2) as [number, number]
  return sql`${table.toNumber(text)} between ${toDouble(low)} and ${toDouble(high)}`
}

/** Passes a number as text, because DuckDB binds whole numbers as 64-bit integers and refuses larger ones. */
const toDouble = (number: number): Sql => sql`${String(number)}::double precision`

/** Compares as text, because property dates are ISO 8601, whose prefixes sort by time. */
function compareDates(text: Sql, filter: PropertyFilter, calendar: Calendar, attr: string): Sql {
  const [given] = parseValues(filter, attr)
  const { at } = parseDate(given as string, calendar, `${attr}__value`)
  const day = at.toPlainDate().toString()
  const isDate = sql`substr(${text}, 1, 10) like '____-__-__'`
  const ofText = sql`substr(${text}, 1, 10)`
  if (filter.operator === 'is_date_exact') return sql`${isDate} and ${ofText} = ${day}::text`
  const sign = sql.raw(filter.operator === 'is_date_before' ? '<' : '>')
  return sql`${isDate} and ${ofText} ${sign} ${day}::text`
}

/** Converts values to their stored form: names and IDs are truncated, properties are not. */
function parseValues(filter: PropertyFilter, attr: string): readonly string[] {
  const { value } = filter
  const values = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  if (values.length === 0)
    throw invalid(`${attr}__value`, 'This operator needs a value.', 'required')
  const toStored = isMetadata(filter) ? toStoredText : sanitizeText
  return values.map((each) => toStored(String(each)))
}

function parseNumbers(filter: PropertyFilter, attr: string, count: number): readonly number[] {
  const numbers = parseValues(filter, attr).map(Number)
  if (numbers.length >= count && numbers.every(Number.isFinite)) return numbers
  throw invalid(
    `${attr}__value`,
    count === 1 ? 'Enter a number.' : 'Enter a lower and an upper number.',
  )
}

function parsePattern(filter: PropertyFilter, attr: string): string {
  const [pattern] = parseValues(filter, attr) as [string]
  requirePattern(pattern, `${attr}__value`)
  return pattern
}

/** Accepts patterns that both databases understand alike. */
export function requirePattern(pattern: string, attr: string): void {
  try {
    new RegExp(pattern, 'u')
  } catch {
    throw invalid(attr, 'This is not a regular expression.')
  }
  if (pattern.length <= 1000) return
  throw invalid(attr, 'The regular expression is longer than 1,000 characters.', 'max_length')
}

const toColumnRef = (
  { key, group_type_index }: PropertyFilter,
  type: ColumnRef['type'],
): ColumnRef => ({ key, type, groupIndex: group_type_index })

/** The columns that the conditions of a series read. */
export const nodeColumns = ({ rules, properties }: Pick<EventsNode, 'rules' | 'properties'>) => [
  ...columnsIn(rules),
  ...columnsIn(properties),
]

/** The columns that conditions read, without those of cohorts. */
export function columnsIn(properties: Properties | null | undefined): ColumnRef[] {
  if (!properties) return []
  const values = isList(properties) ? properties : properties.values
  return values.flatMap((each) => {
    if ('values' in each) return columnsIn(each)
    const { type } = each
    return type === 'cohort' ? [] : [toColumnRef(each, type)]
  })
}

import { sql } from 'kysely'
import { Properties } from '#model/query-kinds/common.schema.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import { matches } from '#server/analytics/queries/filters.ts'
import type { Calendar } from '#server/analytics/queries/parse-date.ts'
import { toProfiles } from '#server/analytics/queries/profiles.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { invalid } from '#server/errors.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import type { PersonQuery } from './schema.ts'
import { hasDistinctId, type PersonCondition } from './store.ts'

/** The properties by which people look for a person. */
const SEARCHED = ['email', 'name']

/** Converts the parameters of a list to conditions. */
export function toConditions(
  { search, email, distinct_id, properties }: PersonQuery,
  calendar: Calendar,
): PersonCondition[] {
  return [
    ...(search ? [containsText(search)] : []),
    ...(email === undefined ? [] : [hasEmail(email)]),
    ...(distinct_id === undefined ? [] : [hasDistinctId(distinct_id)]),
    ...(properties ? [hasProperties(properties, calendar)] : []),
  ]
}

/** A union, because PostgreSQL would look at each ID for each person if the two were alternatives. */
const containsText =
  (words: string): PersonCondition =>
  (table) => {
    const wanted = table.lower(sql`${sanitizeText(words)}::text`)
    const contains = (text: Sql) => sql`strpos(${table.lower(text)}, ${wanted}) > 0`
    const texts = SEARCHED.map((key) => contains(table.profileProperty(key)))
    return sql`p.number in (
      select i.person from ${table.personIds} i where ${contains(sql`i.distinct_id`)}
      union select p.number from ${table.persons} p where ${sql.join(texts, sql` or `)}
    )`
  }

const hasEmail =
  (email: string): PersonCondition =>
  (table) =>
    sql`${table.profileProperty('email')} = ${sanitizeText(email)}::text`

function hasProperties(text: string, calendar: Calendar): PersonCondition {
  const properties = parseProperties(text)
  return (table) => matches(toProfiles(table), properties, calendar, 'properties')
}

function parseProperties(text: string): Properties {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('properties', 'Enter valid JSON.')
  }
  getSchemaCheck(Properties)(value, 'properties')
  return value as Properties
}

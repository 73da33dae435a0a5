import { sql } from 'kysely'
import {
  Properties,
  type PropertyFilter,
  type PropertyGroup,
} from '#model/query-kinds/common.schema.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import { type FilterContext, matches } from '#server/analytics/queries/filters.ts'
import { toProfiles } from '#server/analytics/queries/profiles.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { invalid } from '#server/errors.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import type { PersonQuery } from './schema.ts'
import { hasDistinctId, type PersonCondition, type PersonSelection } from './store.ts'

/** The properties that a search looks at. */
const SEARCHED = ['email', 'name']

/** Converts the parameters of a list to the persons that it shows. */
export function toSelection(
  { search, email, distinct_id, properties, cohort }: ParsedQuery,
  context: FilterContext,
): PersonSelection {
  const conditions = [
    ...(search ? [containsText(search)] : []),
    ...(email === undefined ? [] : [hasEmail(email)]),
    ...(distinct_id === undefined ? [] : [hasDistinctId(distinct_id)]),
    ...(properties ? [hasProperties(properties, context, 'properties')] : []),
    ...(cohort === undefined ? [] : [isInCohort(cohort, context)]),
  ]
  return { properties: context.cohorts.properties, conditions }
}

/** The parameters of a list with its filters as values. */
export type ParsedQuery = Omit<PersonQuery, 'properties'> & {
  readonly properties?: Properties | undefined
}

export function parsePersonQuery({ properties, ...query }: PersonQuery): ParsedQuery {
  return { ...query, properties: properties ? parseProperties(properties) : undefined }
}

/** A union, because with OR PostgreSQL would check each ID for each person. */
export const containsText =
  (search: string): PersonCondition =>
  (table) => {
    const wanted = table.lower(sql`${sanitizeText(search)}::text`)
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

export const hasProperties =
  (properties: Properties, context: FilterContext, attr: string): PersonCondition =>
  (table) =>
    matches(toProfiles(table), properties, { ...context, personNumber: NUMBER }, attr)

const NUMBER = sql`p.number`

const isInCohort =
  (id: number, { cohorts }: FilterContext): PersonCondition =>
  (table) =>
    sql`${NUMBER} in (${cohorts.numbersOf(table, id, 'cohort')})`

function parseProperties(text: string): Properties {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('properties', 'Enter valid JSON.')
  }
  getSchemaCheck(Properties)(value, 'properties')
  requireOfPersons(value as Properties, 'properties')
  return value as Properties
}

/** Refuses filters on events, because a person has many of them. */
export function requireOfPersons(properties: Properties | PropertyGroup, attr: string): void {
  const isGroup = !Array.isArray(properties)
  const values = isGroup ? (properties as PropertyGroup).values : (properties as PropertyFilter[])
  for (const [index, each] of values.entries()) {
    const at = isGroup ? `${attr}__values__${index}` : `${attr}__${index}`
    if ('values' in each) requireOfPersons(each, at)
    else if (!['person', 'cohort'].includes(each.type ?? 'person')) {
      throw invalid(
        `${at}__type`,
        'Persons are filtered by type person or cohort.',
        'invalid_choice',
      )
    }
  }
}

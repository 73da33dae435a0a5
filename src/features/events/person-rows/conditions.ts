import { sql } from 'kysely'
import type { Properties, PropertyFilter, PropertyGroup } from '#model/query-kinds/common.schema.ts'
import { type FilterContext, matches } from '#server/analytics/queries/filters.ts'
import { toProfiles } from '#server/analytics/queries/profiles.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { invalid } from '#server/errors.ts'
import { parsePropertyFilters } from '../property-filters.ts'
import type { PersonQuery } from './schema.ts'
import { type SearchedPersons, toSearch } from './search.ts'
import { hasDistinctId, type PersonSql } from './store.ts'

/** Converts the parameters of a list to the persons that it shows. */
export function toSelection(
  { search, email, distinct_id, properties, cohort }: ParsedPersonQuery,
  context: FilterContext,
): SearchedPersons {
  const conditions = [
    ...(email === undefined ? [] : [hasEmail(email)]),
    ...(distinct_id === undefined ? [] : [hasDistinctId(distinct_id)]),
    ...(properties ? [hasProperties(properties, context, 'properties')] : []),
    ...(cohort === undefined ? [] : [isInCohort(cohort, context)]),
  ]
  const selection = { properties: context.cohorts.properties, conditions }
  return search ? { ...selection, search: toSearch(search) } : selection
}

/** The parameters of a list with its filters as values. */
export type ParsedPersonQuery = Omit<PersonQuery, 'properties'> & {
  readonly properties?: Properties | undefined
}

export function parsePersonQuery({ properties, ...query }: PersonQuery): ParsedPersonQuery {
  return { ...query, properties: properties ? parseProperties(properties) : undefined }
}

const hasEmail =
  (email: string): PersonSql =>
  (table) =>
    sql`${table.profileString('email')} = ${sanitizeText(email)}::text`

export const hasProperties =
  (properties: Properties, context: FilterContext, attr: string): PersonSql =>
  (table) =>
    matches(toProfiles(table), properties, { ...context, personNumber: NUMBER }, attr)

const NUMBER = sql`p.number`

const isInCohort =
  (id: number, { cohorts }: FilterContext): PersonSql =>
  (table) =>
    sql`${NUMBER} in (${cohorts.numbersOf(table, id, 'cohort')})`

function parseProperties(text: string): Properties {
  const properties = parsePropertyFilters(text)
  requireOfPersons(properties, 'properties')
  return properties
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

import { sql } from 'kysely'
import { toStoredText } from '#server/analytics/event-row.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { PersonSelection, PersonSql } from './store.ts'

/** Matches persons with a text in their name, e-mail address or IDs. */
export interface PersonSearch {
  readonly contains: PersonSql
  /** `contains`, restricted to the CTE `newest`, which is small. */
  readonly containsInNewest: PersonSql
  /** Matches exactly this e-mail address or ID. Absent if the text is likely a part of one. */
  readonly equals?: PersonSql
}

/** The persons that a list shows: all of the selection, or those that a search finds. */
export interface SearchedPersons extends PersonSelection {
  readonly search?: PersonSearch
}

/** The properties that a search looks at. */
const SEARCHED = ['email', 'name']
/** A shorter ID may be a part of names and other IDs, which should be found too. */
const MIN_WHOLE = 8

const isWhole = (search: string): boolean =>
  /.@.+\../.test(search) || (search.length >= MIN_WHOLE && /\d/.test(search))

export const toSearch = (search: string): PersonSearch => ({
  contains: mentions(search),
  containsInNewest(table) {
    const contains = toMatcher(table, search)
    return sql`(${matchesProfile(table, contains)} or p.number in (
      select i.person from ${table.personIds} i join newest on newest.number = i.person
      where ${contains(sql`i.distinct_id`)}
    ))`
  },
  ...(isWhole(search) && { equals: isExactly(search) }),
})

/** A union, because with OR PostgreSQL would check each ID for each person. */
export const mentions =
  (search: string): PersonSql =>
  (table) => {
    const contains = toMatcher(table, search)
    return sql`p.number in (
      select i.person from ${table.personIds} i where ${contains(sql`i.distinct_id`)}
      union select p.number from ${table.persons} p where ${matchesProfile(table, contains)}
    )`
  }

/** Reads the profiles only for an e-mail address, because the IDs have an index. */
const isExactly =
  (search: string): PersonSql =>
  (table) => {
    const email = table.lower(table.profileString('email'))
    const wanted = table.lower(sql`${sanitizeText(search)}::text`)
    const ofEmail = sql`union select p.number from ${table.persons} p where ${email} = ${wanted}`
    return sql`p.number in (
      select i.person from ${table.personIds} i where i.distinct_id = ${toStoredText(search)}::text
      ${search.includes('@') ? ofEmail : sql``}
    )`
  }

function toMatcher(table: EventTable, search: string): (text: Sql) => Sql {
  const wanted = table.lower(sql`${sanitizeText(search)}::text`)
  return (text) => sql`strpos(${table.lower(text)}, ${wanted}) > 0`
}

const matchesProfile = (table: EventTable, contains: (text: Sql) => Sql): Sql =>
  sql`(${sql.join(
    SEARCHED.map((key) => sql`coalesce(${contains(table.profileString(key))}, false)`),
    sql` or `,
  )})`

import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { EventTable, RequiredColumns, Sql } from '../event-table.ts'
import type { PropertyKeys } from '../materialized-properties.ts'
import { toProjectSources } from '../project-sources.ts'
import type { SessionEvents } from '../sessions/select-sessions.ts'
import { withSessions } from '../sessions/with-sessions.ts'
import { type StoredColumns, toStoredColumns } from '../stored-columns.ts'
import { PLAIN } from '../strategy.ts'
import { type ToTexts, withProfiles } from '../with-profiles.ts'
import { EXPLAIN } from './explain.ts'
import { toPointer } from './facts.ts'
import { GROUPS_OBJECT, toGroupKeySql, toPointerQuery } from './group-keys-sql.ts'

/** Reads materialized properties from columns; if one is not materialized, reads all from the JSON of `events`. */
export function toEventTable(
  projectId: number,
  dedupedUpTo: number,
  materialized: PropertyKeys,
  required: RequiredColumns,
): EventTable {
  const columns = toStoredColumns(required)
  const project = sql.lit(projectId)
  const areMaterialized = columns.properties.every((key) => materialized.includes(key))
  const events = areMaterialized
    ? sql`(select * from facts where project_id = ${project})`
    : sql`(select events.*, person${sql.raw(readGroupKeys(projectId, columns))}, ${readTexts('events.properties', columns.properties)} as texts
        from events join person_ids using (project_id, distinct_id)
        where project_id = ${project} and seq <= ${sql.lit(dedupedUpTo)})`
  const property = (key: string): Sql => {
    const stored = sanitizeText(key)
    return areMaterialized
      ? sql`e.${sql.raw(`p${materialized.indexOf(stored)}`)}`
      : readText('texts', columns.properties, stored)
  }
  const personProperty = (key: string): Sql =>
    readText('person_texts', columns.personProperties, sanitizeText(key))
  const table: SessionEvents = {
    rows: withProfiles(events, project, columns, toTexts),
    property,
    personProperty,
    personUuid: sql`e.person_uuid`,
    ...toProjectSources(project),
    profileProperty: (key) => readProperty(sql`p.properties`, key),
    profileString: (key) => readProperty(sql`p.properties`, key),
    groupKey: (index) => sql`e.${sql.raw(`g${index}`)}`,
    groupProperty({ index, key }) {
      return readText(`group_${index}_texts`, columns.groupProperties.get(index), sanitizeText(key))
    },
    groupProfileProperty: (key) => readProperty(sql`g.properties`, key),
    explain: EXPLAIN,
    ...DIALECT,
  }
  return withSessions(table, required.sessions)
}

const readProperty = (document: Sql, key: string): Sql =>
  sql`json_extract_string(${document}, ${sql.lit(toPointer(sanitizeText(key)))})`

const toTexts: ToTexts = (owner, document, keys) =>
  keys.length === 0 ? [] : [{ name: `${owner}_texts`, value: readTexts(document, keys) }]

/** One list has all texts, because reading a document once is faster than once for each key. */
const readTexts = (document: string, keys: readonly string[]): Sql =>
  sql`json_extract_string(${sql.raw(document)}, [${sql.join(keys.map((key) => sql.lit(toPointer(key))))}])`

/** Reads from the list of `readTexts`. */
function readText(list: string, keys: readonly string[] | undefined, key: string): Sql {
  const place = keys?.indexOf(key) ?? -1
  if (place < 0) throw new Error(`The statement did not say that it reads ${key}.`)
  return sql`e.${sql.raw(list)}[${sql.lit(place + 1)}]`
}

/** Reads the group keys, which are columns of facts, from the JSON of events. */
const readGroupKeys = (projectId: number, { groupKeys }: StoredColumns): string =>
  groupKeys
    .map((index) => {
      const key = toGroupKeySql(`(${GROUPS_OBJECT})`, toPointerQuery(projectId, index))
      return `, ${key} as g${index}`
    })
    .join('')

/** The spellings in which DuckDB differs from PostgreSQL. */
export const DIALECT = {
  milliseconds: sql`epoch_ms(e.timestamp)`,
  toMilliseconds: (time) => sql`epoch_ms(${time})`,
  // like PostgreSQL, which does not parse 1_000; NaN compares as larger than all numbers, so it is excluded too
  toNumber: (text) =>
    sql`case when abs(try_cast(${text} as double)) < 1e100 and not contains(${text}, '_') then try_cast(${text} as double) end`,
  like: (text, pattern) =>
    /[_\\]/.test(pattern)
      ? sql`regexp_full_match(${text}, ${toRegularExpression(pattern)}, 's')`
      : sql`${text} like ${pattern}`,
  matches: (text, pattern) => sql`regexp_matches(${text}, ${pattern})`,
  compute: (left, operator, right) => sql`(${left} ${sql.raw(operator)} ${right})`,
  divide: (dividend, divisor) => sql`(${dividend} // ${divisor})`,
  countBits: (number) => sql`bit_count(${number})::bigint`,
  lower: (text) => sql`lower(${text})`,
  sortable: (text) => text,
  readsAllRows: false,
  strategy: PLAIN,
} satisfies Partial<EventTable>

/**
 * Converts a pattern of LIKE. DuckDB tries every way to match one with _ or an escape: for `%a%a%ab` and a text of 100
 * letters these are millions, and it cannot be interrupted. A regular expression takes time in proportion to the text.
 */
function toRegularExpression(pattern: string): string {
  return pattern.replace(/\\([\s\S])|[%_]|[^\w%]/gu, (found, escaped?: string) => {
    if (found === '%') return '.*'
    if (found === '_') return '.'
    return toLiteral(escaped ?? found)
  })
}

/** Only ASCII characters other than letters and digits may follow a backslash. */
const toLiteral = (character: string): string =>
  /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character

import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { EventQuery, EventTable, Sql } from '../event-table.ts'
import { type HotProperties, toHotColumn } from './hot-properties.ts'
import { propertyText } from './property-text.ts'

type AskedColumns = Pick<EventQuery, 'properties' | 'personProperties' | 'personUuid'>

/** Reads facts if they have every property that is asked for, and otherwise the JSON of `events`. */
export function toEventTable(
  projectId: number,
  alphabet: string,
  hot: HotProperties,
  { properties, personProperties = [], personUuid = false }: AskedColumns,
): EventTable {
  const project = sql.lit(projectId)
  const keys = properties.map(sanitizeText)
  const areHot = keys.every((key) => hot.has(key))
  const positions = areHot ? [...new Set(keys)].map((key) => hot.get(key) as number) : []
  const events = areHot
    ? sql`(select uuid, event, distinct_id, person, timestamp${sql.raw(positions.map((position) => `, p${position}`).join(''))}
        from facts where project_id = ${project})`
    : sql`(select uuid, event, distinct_id, person, timestamp, properties
        from events join person_ids using (project_id, distinct_id) where project_id = ${project})`
  const property = (key: string): Sql =>
    areHot
      ? sql`e.${toHotColumn(hot.get(key) as number)}`
      : sql`(${propertyText('e.properties', key)})`
  const personKeys = personProperties.map(sanitizeText)
  return {
    rows: withPersons(events, project, personKeys, personUuid),
    property: (key) => property(sanitizeText(key)),
    personProperty: (key) => sql`e.${toColumn(personKeys.indexOf(sanitizeText(key)))}`,
    personUuid: sql`e.person_uuid`,
    persons: sql`(select * from persons where project_id = ${project} and has_profile)`,
    allPersons: sql`(select * from persons where project_id = ${project})`,
    profileProperty: (key) => sql`(${propertyText('p.properties', sanitizeText(key))})`,
    personIds: sql`(select distinct_id, person from person_ids where project_id = ${project})`,
    warnings: sql`(select * from identity_warnings where project_id = ${project})`,
    // `extract` would be exact, and so slow that it took half of the time of many queries; times have milliseconds
    milliseconds: sql`(date_part('epoch', e.timestamp) * 1000)::bigint`,
    toNumber: (text) =>
      sql`case when length(${text}) <= ${sql.lit(MAX_NUMBER)} and ${text} ~ ${sql.lit(NUMBER)} then case when abs((${text})::double precision) < 1e100 then (${text})::double precision end end`,
    matches: (text, pattern) => sql`${text} ~ ${pattern}::text`,
    lower: (text) => sql`lower((${text}) collate ${sql.id(alphabet)})`,
    divide: (dividend, divisor) => sql`(${dividend} / ${divisor})`,
    countBits: (number) => sql`bit_count(${number}::bit(64))`,
    sortable: (text) => sql`(${text}) collate "C"`,
  }
}

const toColumn = (index: number): Sql => sql.raw(`person_property_${index}`)

/** Joins the persons only if something of them is asked for. */
function withPersons(events: Sql, project: Sql, keys: readonly string[], personUuid: boolean): Sql {
  if (keys.length === 0 && !personUuid) return events
  const columns = [
    ...(personUuid ? [sql`persons.uuid::text as person_uuid`] : []),
    ...keys.map(
      (key, index) => sql`${propertyText('persons.properties', key)} as ${toColumn(index)}`,
    ),
  ]
  return sql`(select * from ${events} events left join (
    select number, ${sql.join(columns)} from persons where project_id = ${project}
  ) persons on number = person)`
}

/** Matches numbers that DuckDB accepts too. A pattern that counts the digits would take 20 times as long. */
const NUMBER = '^\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,2})?\\s*$'
/** No more digits than fit, with the exponent. */
const MAX_NUMBER = 200

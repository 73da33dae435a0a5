import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { EventTable, Sql } from '../event-table.ts'
import type { PropertyKeys } from '../materialized-properties.ts'
import { toPointer } from './facts.ts'

export interface AskedColumns {
  readonly properties: readonly string[]
  readonly personProperties: readonly string[]
  readonly personUuid: boolean
}

/** Hot properties are columns; if one is asked for that is not, all are looked for in the JSON of `events`. */
export function toEventTable(
  projectId: number,
  settled: number,
  hot: PropertyKeys,
  asked: AskedColumns,
): EventTable {
  const project = sql.lit(projectId)
  const areHot = asked.properties.every((key) => hot.includes(key))
  const events = areHot
    ? sql`(select * from facts where project_id = ${project})`
    : sql`(select events.*, person from events join person_ids using (project_id, distinct_id)
        where project_id = ${project} and seq <= ${sql.lit(settled)})`
  const property = (key: string): Sql => {
    const stored = sanitizeText(key)
    return areHot
      ? sql`e.${sql.raw(`p${hot.indexOf(stored)}`)}`
      : sql`json_extract_string(e.properties, ${sql.lit(toPointer(stored))})`
  }
  const personProperty = (key: string): Sql =>
    sql`e.person_texts[${sql.lit(asked.personProperties.indexOf(sanitizeText(key)) + 1)}]`
  return {
    rows: withPersons(events, project, asked),
    property,
    personProperty,
    personUuid: sql`e.person_uuid`,
    persons: sql`(select * from persons where project_id = ${project} and has_profile)`,
    allPersons: sql`(select * from persons where project_id = ${project})`,
    profileProperty: (key) =>
      sql`json_extract_string(p.properties, ${sql.lit(toPointer(sanitizeText(key)))})`,
    personIds: sql`(select distinct_id, person from person_ids where project_id = ${project})`,
    warnings: sql`(select * from identity_warnings where project_id = ${project})`,
    ...DIALECT,
  }
}

/** Joins the persons only if something of them is asked for. */
function withPersons(
  events: Sql,
  project: Sql,
  { personProperties, personUuid }: AskedColumns,
): Sql {
  if (personProperties.length === 0 && !personUuid) return events
  const pointers = personProperties.map((key) => sql.lit(toPointer(key)))
  const columns = [
    ...(personUuid ? [sql`uuid::text as person_uuid`] : []),
    ...(pointers.length > 0
      ? [sql`json_extract_string(properties, [${sql.join(pointers)}]) as person_texts`]
      : []),
  ]
  return sql`(select events.*, persons.* exclude (number) from ${events} events left join (
    select number, ${sql.join(columns)} from persons where project_id = ${project}
  ) persons on number = person)`
}

/** The spellings in which DuckDB differs from PostgreSQL. */
const DIALECT: Omit<
  EventTable,
  | 'rows'
  | 'property'
  | 'personProperty'
  | 'personUuid'
  | 'persons'
  | 'allPersons'
  | 'profileProperty'
  | 'personIds'
  | 'warnings'
> = {
  milliseconds: sql`epoch_ms(e.timestamp)`,
  // as PostgreSQL, which takes no 1_000 for a number; NaN is larger than all, and none either
  toNumber: (text) =>
    sql`case when abs(try_cast(${text} as double)) < 1e100 and not contains(${text}, '_') then try_cast(${text} as double) end`,
  matches: (text, pattern) => sql`regexp_matches(${text}, ${pattern})`,
  divide: (dividend, divisor) => sql`(${dividend} // ${divisor})`,
  countBits: (number) => sql`bit_count(${number})::bigint`,
  lower: (text) => sql`lower(${text})`,
  sortable: (text) => text,
}

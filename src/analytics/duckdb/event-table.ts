import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { EventTable, Sql } from '../event-table.ts'
import { type PropertyKeys, toPointer } from './facts.ts'

/** Hot properties are columns; if one is asked for that is not, all are looked for in the JSON of `events`. */
export function toEventTable(
  projectId: number,
  settled: number,
  hot: PropertyKeys,
  asked: readonly string[],
): EventTable {
  const project = sql.lit(projectId)
  const areHot = asked.every((key) => hot.includes(key))
  const rows = areHot
    ? sql`(select * from facts where project_id = ${project})`
    : sql`(select * from events where project_id = ${project} and seq <= ${sql.lit(settled)})`
  const property = (key: string): Sql => {
    const stored = sanitizeText(key)
    return areHot
      ? sql`e.${sql.raw(`p${hot.indexOf(stored)}`)}`
      : sql`json_extract_string(e.properties, ${sql.lit(toPointer(stored))})`
  }
  return { rows, property, ...DIALECT }
}

/** The spellings in which DuckDB differs from PostgreSQL. */
const DIALECT: Omit<EventTable, 'rows' | 'property'> = {
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

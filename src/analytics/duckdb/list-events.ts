import { sql } from 'kysely'
import { toConditions } from '../event-filter.ts'
import type { EventFilter, EventKey, StoredEvent } from '../event-store.ts'
import type { Sql, StatementRow } from '../event-table.ts'

export const toListStatement = (where: Sql, filter: EventFilter): Sql =>
  sql`select seq::double as seq, uuid::varchar as uuid, event, distinct_id, epoch_ms(timestamp) as timestamp, properties, epoch_ms(created_at) as created_at
    from events where ${toConditions(where, filter, isOneOf)}
    order by events.timestamp desc, events.uuid desc limit ${sql.lit(filter.limit)} offset ${sql.lit(filter.offset)}`

export const toCountStatement = (where: Sql): Sql =>
  sql`select count(*) as count from events where ${where}`

/** A commit that DuckDB has ended but the store has not noticed yet is not read either, so it must not count here. */
export const toNewestStatement = (projectId: number, committedSeq: number): Sql =>
  sql`select coalesce(max(seq), 0) as newest from events
    where project_id = ${sql.lit(projectId)} and seq <= ${sql.lit(committedSeq)}`

/** Compares the times too, by which DuckDB skips most of the table. */
const isOneOf = (keys: readonly EventKey[]): Sql =>
  sql`uuid in (${sql.join(keys.map(({ uuid }) => sql`${uuid}::uuid`))})
    and timestamp in (${sql.join(keys.map(({ timestamp }) => sql`${timestamp}::timestamptz`))})`

/** Selects the full properties, in parts, of events that have only some in `events`. */
export const toPartsStatement = (seqs: readonly number[]): Sql =>
  sql`select seq::double as seq, text from whole_properties
    where seq in (${sql.join(seqs.map((seq) => sql.lit(seq)))}) order by seq, part`

export function toStoredEvents(
  rows: readonly StatementRow[],
  parts: readonly StatementRow[],
): StoredEvent[] {
  const partsBySeq = Map.groupBy(parts, ({ seq }) => seq)
  return rows.map((row) => toStoredEvent(row, partsBySeq.get(row.seq as number) ?? []))
}

function toStoredEvent(row: StatementRow, parts: readonly StatementRow[]): StoredEvent {
  const {
    seq: _,
    timestamp,
    created_at,
    ...texts
  } = row as unknown as Omit<StoredEvent, 'timestamp' | 'created_at'> & {
    seq: number
    timestamp: number
    created_at: number
  }
  return {
    ...texts,
    ...(parts.length > 0 && { properties: parts.map(({ text }) => text).join('') }),
    timestamp: new Date(timestamp).toISOString(),
    created_at: new Date(created_at).toISOString(),
  }
}

import type { DuckDBConnection } from '@duckdb/node-api'
import type { PropertyKeys } from '../materialized-properties.ts'
import { deriveFrom } from './derive-from.ts'
import { addFacts } from './facts.ts'
import { IDS_OF_NEW_EVENTS } from './identify.ts'
import { inTransaction, onlyNamed } from './transaction.ts'

/**
 * Keeps the first of all events with the same project and UUID. The table is read once, no matter how often a UUID is
 * repeated. New events are copied to a table first, which tells DuckDB that they are the smaller side of the join:
 * without it, the join took more than 10 times as long.
 *
 * After 2,000 new events the search took 27 ms of processor time among 1 million and 120 among 10 million; after
 * 100,000 it took 65 and 270. UUIDs that begin with their time, as clients create them, let DuckDB skip older events:
 * 8 and 8, 45 and 70 ms. If new events repeat events from all over 10 million, it takes up to 850 ms.
 */
const STATEMENTS = [
  `create or replace temp table fresh as
    select project_id, uuid, seq from events where seq > $deduped::bigint and seq <= $upTo::bigint`,
  `create or replace temp table known as
    select project_id, uuid from events semi join fresh using (project_id, uuid)
    where seq <= $deduped::bigint`,
  `delete from events where seq > $deduped::bigint and seq <= $upTo::bigint and seq in (
    select seq from fresh semi join known using (project_id, uuid)
    union all
    select seq from fresh join (
      select project_id, uuid, min(seq) as first from fresh group by all having count(*) > 1
    ) using (project_id, uuid) where seq > first
  )`,
  `delete from whole_properties where seq > $deduped::bigint and seq <= $upTo::bigint and seq not in (
    select seq from events where seq > $deduped::bigint and seq <= $upTo::bigint
  )`,
]

/** Moves all marks in one update. */
const MOVE_MARKS =
  'update meta set settled_up_to = $upTo::bigint, identified_up_to = $upTo::bigint, facts_up_to = $upTo::bigint'

/** Deletes the duplicates above `deduped`, then shows the rest to queries; the mark moves in the same commit. */
export function deleteDuplicates(
  connection: DuckDBConnection,
  materialized: PropertyKeys,
  deduped: number,
  upTo: number,
): Promise<void> {
  return inTransaction(connection, async () => {
    for (const statement of STATEMENTS) {
      await connection.run(statement, onlyNamed(statement, { deduped, upTo }))
    }
    const range = { after: deduped, upTo }
    const hasGroups = await deriveFrom(connection, range)
    await addFacts(connection, { materialized, ids: IDS_OF_NEW_EVENTS, hasGroups }, range)
    await connection.run(MOVE_MARKS, { upTo })
  })
}

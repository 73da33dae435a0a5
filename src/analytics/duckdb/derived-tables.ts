import type { DuckDBConnection } from '@duckdb/node-api'
import { sql } from 'kysely'
import type { DerivedTables, EventsToDelete } from '../derive/derived-tables.ts'
import { toGone } from '../derive/sql/deletion-tables.ts'
import { toSqlTables } from '../derive/sql/derived-tables.ts'
import type { PropertyMatch } from '../event-store.ts'
import { DERIVED_TABLES } from '../project-tables.ts'
import { compileStatement } from './compile-statement.ts'
import { readStep } from './derive-step.ts'
import { toPointer } from './facts.ts'
import { readMarks } from './marks.ts'
import { readRows } from './read-rows.ts'
import { toRunner } from './runner.ts'

/** Sees the events up to `dedupedUpTo`. The caller has begun a transaction. */
export const toDerivedTables = (
  connection: DuckDBConnection,
  dedupedUpTo: number,
): DerivedTables => ({
  ...toSqlTables(toRunner(connection), ['facts']),
  takePlace: async () => dedupedUpTo,
  async deleteEvents(selection) {
    const which = await toCondition(connection, selection)
    return deleteEvents(connection, `${which} and seq <= ${dedupedUpTo}`)
  },
  deleteMatching: (projectId, match) =>
    deleteMatching(connection, `project_id = ${projectId} and seq <= ${dedupedUpTo}`, match),
  async restoreKept() {
    await connection.run('delete from identity_warnings')
    for (const table of DERIVED_TABLES) {
      await connection.run(`delete from ${table}`)
      await connection.run(`insert into ${table} from ${table}_base`)
    }
  },
  async findMark() {
    const { deduped, identified } = await readMarks(connection)
    return identified < deduped ? identified : undefined
  },
  async setMark(seq) {
    await connection.run(`update meta set identified_up_to = ${seq}`)
  },
  readStep: (after) => readStep(connection, after),
})

/** Selects events and their facts. */
async function toCondition(
  connection: DuckDBConnection,
  { projectId, ids, before }: EventsToDelete,
): Promise<string> {
  const ofProject = `project_id = ${projectId}`
  if (before) return `${ofProject} and epoch_ms(timestamp) < ${Date.parse(before)}`
  if (!ids) return ofProject
  const given = await toGone(toRunner(connection), ids)
  return compileStatement(sql`${sql.raw(ofProject)} and distinct_id in (select id from ${given})`)
}

async function deleteEvents(connection: DuckDBConnection, which: string): Promise<number> {
  // by the deleted numbers, which are few: by the remaining ones, all would have to be in memory
  const ofGone = `seq in (select seq from events where ${which})`
  await connection.run(`delete from whole_properties where ${ofGone}`)
  await connection.run(`delete from facts where ${which}`)
  return (await connection.run(`delete from events where ${which}`)).rowsChanged
}

async function deleteMatching(
  connection: DuckDBConnection,
  which: string,
  { key, value }: PropertyMatch,
) {
  await connection.run(
    `create or replace temp table deleted_events as select seq, distinct_id from events
      where ${which} and json_extract_string(properties, $pointer) = $value`,
    { pointer: toPointer(key), value },
  )
  const deleted = await deleteEvents(
    connection,
    `${which} and seq in (select seq from deleted_events)`,
  )
  const rows = await readRows<[string]>(
    connection,
    'select distinct distinct_id from deleted_events',
  )
  return { deleted, ids: rows.map(([id]) => id) }
}

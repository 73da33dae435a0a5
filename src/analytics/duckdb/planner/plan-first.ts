import { sql } from 'kysely'
import type { Sql } from '#server/analytics/event-table.ts'
import { DEFAULT_TIMEOUT_MS } from '#server/analytics/query-errors.ts'
import { compiler } from '../compile-statement.ts'
import type { Readers } from '../readers.ts'
import type { Planner } from './planner.ts'

/**
 * Statements with less effort are not planned in a separate process first, which takes 0.3 s of CPU time if it has to
 * start. The longest of them took 0.2 s of CPU time to plan. The examples of docs/sql.md have 10 to 50.
 */
const MAX_UNPLANNED_EFFORT = 300

/** Refuses a statement that would take too long to plan. Reads how tables were created: the columns of facts change. */
export async function planFirst(
  planner: Planner,
  readers: Readers,
  effort: number,
  toStatement: () => Sql,
): Promise<void> {
  if (effort <= MAX_UNPLANNED_EFFORT) return
  const rows = await readers.run(
    sql`select sql from duckdb_tables() where database_name = 'store' order by table_name`,
    DEFAULT_TIMEOUT_MS,
  )
  const { sql: statement, parameters } = toStatement().compile(compiler)
  await planner.requirePlannable({
    tables: rows.map((row) => String(row.sql)),
    statement,
    parameters,
  })
}

import { type CompiledQuery, sql } from 'kysely'
import { DEFAULT_TIMEOUT_MS } from '../../query-errors.ts'
import type { Readers } from '../readers.ts'
import type { PlanningTask } from './contract.ts'

/** Reads how the store's tables were created; those of materialized properties change. */
export async function toPlanningTask(
  readers: Readers,
  { sql: statement, parameters }: CompiledQuery,
): Promise<PlanningTask> {
  const rows = await readers.run(
    sql`select sql from duckdb_tables() where database_name = 'store' order by table_name`,
    DEFAULT_TIMEOUT_MS,
  )
  return { tables: rows.map((row) => String(row.sql)), statement, parameters }
}

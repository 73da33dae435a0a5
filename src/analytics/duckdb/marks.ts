import type { DuckDBConnection } from '@duckdb/node-api'
import { readRows } from './read-rows.ts'

/** The numbers up to which events are deduplicated, have persons, and have facts. */
interface Marks {
  readonly deduped: number
  readonly identified: number
  readonly facts: number
}

export async function readMarks(connection: DuckDBConnection): Promise<Marks> {
  const [row] = await readRows<[number, number, number]>(
    connection,
    'select settled_up_to::double, identified_up_to::double, facts_up_to::double from meta',
  )
  const [deduped, identified, facts] = row as [number, number, number]
  return { deduped, identified, facts }
}

import type { DuckDBConnection } from '@duckdb/node-api'
import type { SeqRange } from '../derive/derived-tables.ts'
import { deriveGroups } from './derive-groups.ts'
import { identifyPersons } from './identify.ts'
import { scanEvents } from './search-events.ts'

/** Derives the persons and groups of a range of events in the caller's transaction. Returns whether there may be groups. */
export async function deriveFrom(connection: DuckDBConnection, range: SeqRange): Promise<boolean> {
  const { mayChangePersons, mayHaveGroups } = await scanEvents(connection, range)
  await identifyPersons(connection, range, mayChangePersons)
  if (mayHaveGroups) await deriveGroups(connection, range)
  return mayHaveGroups
}

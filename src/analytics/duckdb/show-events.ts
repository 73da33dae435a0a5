import type { DuckDBConnection } from '@duckdb/node-api'
import { addFacts, type PropertyKeys } from './facts.ts'
import { IDS_OF_NEW_EVENTS, identifyPersons } from './identify.ts'

/** Shows deduplicated events to queries: derives their persons and adds their facts. */
export async function addPersonsAndFacts(
  connection: DuckDBConnection,
  keys: PropertyKeys,
  after: number,
  upTo: number,
): Promise<void> {
  await identifyPersons(connection, after, upTo)
  await addFacts(connection, keys, IDS_OF_NEW_EVENTS, { after, upTo })
}

import type { DuckDBConnection } from '@duckdb/node-api'
import type { Step } from '../derive/derived-tables.ts'
import { deriveFrom } from './derive-from.ts'
import { addFacts, readKeys, updateFacts } from './facts.ts'
import { IDS_OF_NEW_EVENTS } from './identify.ts'
import { readMarks } from './marks.ts'
import { readRows } from './read-rows.ts'

/**
 * The events per transaction, so that an interrupted process can resume. Each transaction reads all facts: with
 * 100,000, the persons of 10 million events took 124 s instead of 90.
 */
const STEP = 250_000

/** Finds the events up to the next edit. Facts are added or, if they are complete, corrected. */
export async function readStep(connection: DuckDBConnection, after: number): Promise<Step> {
  const { deduped, facts } = await readMarks(connection)
  const hasFacts = facts === deduped
  const upTo = Math.min(after + STEP, deduped, await findNextEdit(connection, after))
  return {
    upTo,
    last: upTo,
    count: upTo - after,
    isLast: upTo === deduped,
    async derive(range) {
      const hasGroups = await deriveFrom(connection, range)
      if (hasFacts) return updateFacts(connection, IDS_OF_NEW_EVENTS, range)
      const source = { materialized: await readKeys(connection), ids: IDS_OF_NEW_EVENTS, hasGroups }
      await addFacts(connection, source, range)
      await connection.run(`update meta set facts_up_to = ${range.upTo}`)
    },
  }
}

async function findNextEdit(connection: DuckDBConnection, after: number): Promise<number> {
  const [row] = await readRows<[number | null]>(
    connection,
    `select min(after_seq)::double from (
      select after_seq from person_edits union all select after_seq from group_edits
    ) where after_seq > ${after}`,
  )
  return row?.[0] ?? Number.POSITIVE_INFINITY
}

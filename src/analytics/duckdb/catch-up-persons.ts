import type { DuckDBConnection } from '@duckdb/node-api'
import * as derive from '../derive/catch-up.ts'
import type { DerivedTables } from '../derive/derived-tables.ts'
import type { OnProgress } from '../event-store.ts'
import { toDerivedTables } from './derived-tables.ts'
import { readKeys, rebuildFacts } from './facts.ts'
import { readMarks } from './marks.ts'
import { withLessMemory } from './memory-limit.ts'
import { readRows } from './read-rows.ts'
import { MAY_HAVE_GROUPS } from './search-events.ts'
import { inTransaction } from './transaction.ts'

/** Derives what is missing: see `catchUp`. */
export const catchUpPersons = (
  connection: DuckDBConnection,
  onProgress: OnProgress,
): Promise<boolean> =>
  withLessMemory(connection, () => derive.catchUp(toCatchUp(connection, onProgress)))

export const rebuildPersons = (
  connection: DuckDBConnection,
  onProgress: OnProgress,
): Promise<void> =>
  withLessMemory(connection, () => derive.rebuildPersons(toCatchUp(connection, onProgress)))

/** Rebuilds the facts too: `prepare` replaces a table that is marked as incomplete. */
export async function rebuildDerived(
  connection: DuckDBConnection,
  onProgress: OnProgress,
): Promise<void> {
  await connection.run('update meta set facts_up_to = -1')
  await rebuildPersons(connection, onProgress)
}

export const forgetPersons = (connection: DuckDBConnection): Promise<void> =>
  changeAll(connection, derive.forgetPersons)

async function changeAll<T>(
  connection: DuckDBConnection,
  work: (tables: DerivedTables) => Promise<T>,
): Promise<T> {
  const { deduped } = await readMarks(connection)
  return inTransaction(connection, () => work(toDerivedTables(connection, deduped)))
}

const toCatchUp = (connection: DuckDBConnection, onProgress: OnProgress): derive.CatchUp => {
  let total = 0
  return {
    async prepare() {
      const { deduped, identified, facts } = await readMarks(connection)
      total = deduped
      if (identified >= deduped) return false
      if (facts !== deduped && facts !== identified) {
        await rebuildFacts(connection, await readKeys(connection), identified)
      }
      return true
    },
    change: (work) => changeAll(connection, work),
    onStep: ({ upTo }) => onProgress(upTo, total),
    complete: async () => {},
  }
}

/** Triggers a rebuild if a version without groups has stored events that name groups. */
export async function forgetGroupless(connection: DuckDBConnection): Promise<void> {
  const [[hasGroups] = []] = await readRows<[boolean]>(connection, 'select has_groups from meta')
  if (hasGroups) return
  const some = `select 1 from events where ${MAY_HAVE_GROUPS} limit 1`
  const isBehind = (await readRows(connection, some)).length > 0
  await changeAll(connection, async (tables) => {
    if (isBehind) {
      await derive.forgetPersons(tables)
      await connection.run('update meta set facts_up_to = -1')
    }
    await connection.run('update meta set has_groups = true')
  })
}

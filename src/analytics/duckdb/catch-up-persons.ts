import type { DuckDBConnection } from '@duckdb/node-api'
import type { OnProgress } from '../event-store.ts'
import { deriveFrom } from './derive-from.ts'
import { repeatGroupEdits } from './edit-group.ts'
import { repeatEdits } from './edit-person.ts'
import { addFacts, readKeys, rebuildFacts, updateFacts } from './facts.ts'
import { IDS_OF_NEW_EVENTS } from './identify.ts'
import { withLessMemory } from './memory-limit.ts'
import { readRows } from './read-rows.ts'
import { MAY_HAVE_GROUPS } from './search-events.ts'
import { inTransaction } from './transaction.ts'

/**
 * The events per transaction, so that an interrupted process can resume. Each transaction reads all facts: with
 * 100,000, the persons of 10 million events took 124 s instead of 90.
 */
const STEP = 250_000

/**
 * Derives the persons and groups of events that a version without persons has stored, or that `forgetPersons` has left. Returns
 * whether there were any.
 */
export async function catchUpPersons(
  connection: DuckDBConnection,
  onProgress: OnProgress,
): Promise<boolean> {
  const [marks] = await readRows<[number, number, number]>(
    connection,
    'select settled_up_to::double, identified_up_to::double, facts_up_to::double from meta',
  )
  const [total, identified, factsUpTo] = marks as [number, number, number]
  if (identified >= total) return false
  await withLessMemory(connection, () =>
    derive(connection, { total, identified, factsUpTo }, onProgress),
  )
  return true
}

interface Marks {
  readonly total: number
  readonly identified: number
  readonly factsUpTo: number
}

async function derive(
  connection: DuckDBConnection,
  { total, identified, factsUpTo }: Marks,
  onProgress: OnProgress,
): Promise<void> {
  const keys = await readKeys(connection)
  const hasFacts = factsUpTo === total
  if (!hasFacts && factsUpTo !== identified) await rebuildFacts(connection, keys, identified)
  for (let after = identified; after < total; ) {
    const upTo = Math.min(after + STEP, total, await findNextEdit(connection, after))
    await inTransaction(connection, async () => {
      const range = { after, upTo }
      const hasGroups = await deriveFrom(connection, range)
      const source = { hot: keys, ids: IDS_OF_NEW_EVENTS, hasGroups }
      if (hasFacts) await updateFacts(connection, IDS_OF_NEW_EVENTS, range)
      else await addFacts(connection, source, range)
      await connection.run(`update meta set identified_up_to = ${upTo}`)
      if (!hasFacts) await connection.run(`update meta set facts_up_to = ${upTo}`)
      await repeatEdits(connection, upTo)
      await repeatGroupEdits(connection, upTo)
    })
    onProgress(upTo, total)
    after = upTo
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

/** The tables that a rebuild refills. */
const DERIVED = ['persons', 'person_ids', 'group_profiles']

/** Keep the persons whose events expired; a rebuild starts with them. */
export const BASE_TABLES = [
  'create table if not exists person_bases (project_id bigint not null, up_to bigint not null)',
  'create table if not exists persons_base as from persons limit 0',
  'create table if not exists person_ids_base as from person_ids limit 0',
]

/** Saves a project's persons and groups, because some of the events behind them are about to be deleted. */
export async function keepPersons(
  connection: DuckDBConnection,
  projectId: number,
  upTo: number,
): Promise<void> {
  for (const table of DERIVED) {
    await connection.run(`delete from ${table}_base where project_id = ${projectId}`)
    await connection.run(`insert into ${table}_base from ${table} where project_id = ${projectId}`)
  }
  await connection.run(`delete from person_bases where project_id = ${projectId}`)
  await connection.run(`insert into person_bases values (${projectId}, ${upTo})`)
}

/** Deletes all persons and groups except those that `keepPersons` saved. The next `catchUpPersons` derives them again. */
export const forgetPersons = (connection: DuckDBConnection): Promise<void> =>
  inTransaction(connection, () => forget(connection))

export async function rebuildPersons(
  connection: DuckDBConnection,
  onProgress: OnProgress,
): Promise<void> {
  await forgetPersons(connection)
  await catchUpPersons(connection, onProgress)
}

/** Rebuilds the facts too: `catchUpPersons` replaces a table that is marked as incomplete. */
export async function rebuildDerived(
  connection: DuckDBConnection,
  onProgress: OnProgress,
): Promise<void> {
  await connection.run('update meta set facts_up_to = -1')
  await rebuildPersons(connection, onProgress)
}

async function forget(connection: DuckDBConnection): Promise<void> {
  for (const table of [...DERIVED, 'identity_warnings']) {
    await connection.run(`delete from ${table}`)
  }
  for (const table of DERIVED) await connection.run(`insert into ${table} from ${table}_base`)
  await repeatGroupEdits(connection, 0)
  await connection.run('update meta set identified_up_to = 0')
}

/** Triggers a rebuild if a version without groups has stored events that name groups. */
export async function forgetGroupless(connection: DuckDBConnection): Promise<void> {
  const [[hasGroups] = []] = await readRows<[boolean]>(connection, 'select has_groups from meta')
  if (hasGroups) return
  const some = `select 1 from events where ${MAY_HAVE_GROUPS} limit 1`
  const isBehind = (await readRows(connection, some)).length > 0
  await inTransaction(connection, async () => {
    if (isBehind) {
      await forget(connection)
      await connection.run('update meta set facts_up_to = -1')
    }
    await connection.run('update meta set has_groups = true')
  })
}

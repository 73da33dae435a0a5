import type { DuckDBConnection } from '@duckdb/node-api'
import { repeatEdits } from './edit-person.ts'
import { readKeys, rebuildFacts } from './facts.ts'
import { addPersonsAndFacts } from './show-events.ts'
import { readRows } from './read-rows.ts'
import { inTransaction } from './transaction.ts'

/** Events of one transaction, so that a process that dies goes on where it was. */
const STEP = 100_000

export type OnProgress = (done: number, total: number) => void

/** Derives the persons of events that a version without persons has stored, or that `forgetPersons` has left. */
export async function catchUpPersons(
  connection: DuckDBConnection,
  onProgress: OnProgress = () => {},
): Promise<void> {
  const [marks] = await readRows<[number, number, number]>(
    connection,
    'select settled_up_to::double, identified_up_to::double, facts_up_to::double from meta',
  )
  const [total, identified, factsUpTo] = marks as [number, number, number]
  if (identified >= total) return
  const keys = await readKeys(connection)
  if (factsUpTo !== identified) await rebuildFacts(connection, keys, identified)
  for (let after = identified; after < total; ) {
    const upTo = Math.min(after + STEP, total, await findNextEdit(connection, after))
    await inTransaction(connection, async () => {
      await addPersonsAndFacts(connection, keys, after, upTo)
      await repeatEdits(connection, upTo)
    })
    onProgress(upTo, total)
    after = upTo
  }
}

async function findNextEdit(connection: DuckDBConnection, after: number): Promise<number> {
  const [row] = await readRows<[number | null]>(
    connection,
    `select min(after_seq)::double from person_edits where after_seq > ${after}`,
  )
  return row?.[0] ?? Number.POSITIVE_INFINITY
}

/** What is left of persons whose events were deleted for their age: a rebuild begins with it. */
export const BASE_TABLES = [
  'create table if not exists person_bases (project_id bigint not null, up_to bigint not null)',
  'create table if not exists persons_base as from persons limit 0',
  'create table if not exists person_ids_base as from person_ids limit 0',
]

/** Remembers a project's persons as they are, because some of the events that made them are about to go. */
export async function keepPersons(
  connection: DuckDBConnection,
  projectId: number,
  upTo: number,
): Promise<void> {
  for (const table of ['persons', 'person_ids']) {
    await connection.run(`delete from ${table}_base where project_id = ${projectId}`)
    await connection.run(`insert into ${table}_base from ${table} where project_id = ${projectId}`)
  }
  await connection.run(`delete from person_bases where project_id = ${projectId}`)
  await connection.run(`insert into person_bases values (${projectId}, ${upTo})`)
}

/** Forgets all persons but those that `keepPersons` kept. The next `catchUpPersons` derives them again. */
export const forgetPersons = (connection: DuckDBConnection): Promise<void> =>
  inTransaction(connection, async () => {
    for (const table of ['persons', 'person_ids', 'identity_warnings']) {
      await connection.run(`delete from ${table}`)
    }
    for (const table of ['persons', 'person_ids']) {
      await connection.run(`insert into ${table} from ${table}_base`)
    }
    await connection.run('update meta set identified_up_to = 0')
  })

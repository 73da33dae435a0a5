import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import type { Sql } from '../event-table.ts'
import { lockAllPersons } from './locks.ts'
import { listPartitions } from './tables.ts'

interface FilledColumn {
  readonly column: Sql
  /** Computes the value from an event, in `events`. */
  readonly value: Sql
}

/** The pages per transaction, and the transactions after which a vacuum reclaims the replaced rows. */
const PAGES = 256
const STEPS_UNTIL_VACUUM = 8

/** Fills empty columns of facts from the documents of their events. Several servers may do so at once. */
export async function fillColumns(
  db: Db,
  columns: readonly FilledColumn[],
  signal?: AbortSignal,
): Promise<void> {
  const seen = new Set<string>()
  // a partition may be created meanwhile, with events of another one
  for (let names = await listPartitions(db, 'facts'); names.length > 0; ) {
    for (const name of names) {
      seen.add(name)
      await fillPartition(db, name, columns, signal)
    }
    names = (await listPartitions(db, 'facts')).filter((name) => !seen.has(name))
  }
}

async function fillPartition(
  db: Db,
  name: string,
  columns: readonly FilledColumn[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { rows } = await sql<{ pages: number }>`
    select pg_relation_size(${name}::regclass) / current_setting('block_size')::bigint as pages`.execute(
    db,
  )
  const pages = rows[0]?.pages ?? 0
  for (let page = 0, step = 1; page < pages; page += PAGES, step++) {
    signal?.throwIfAborted() // the next server that needs the property resumes
    await db.transaction().execute((tx) => fillPages(tx, name, page, columns))
    const isLast = page + PAGES >= pages
    if (isLast || step % STEPS_UNTIL_VACUUM === 0) await sql.raw(`vacuum ${name}`).execute(db)
  }
}

async function fillPages(
  tx: Tx,
  name: string,
  page: number,
  columns: readonly FilledColumn[],
): Promise<void> {
  await lockAllPersons(tx) // prevents a deadlock with a merge
  const isMissing = columns.map(
    ({ column, value }) => sql`(facts.${column} is null and (${value}) is not null)`,
  )
  await sql`
    update ${sql.table(name)} facts
    set ${sql.join(columns.map(({ column, value }) => sql`${column} = ${value}`))}
    from events
    where facts.ctid >= ${`(${page},0)`}::tid and facts.ctid < ${`(${page + PAGES},0)`}::tid
      and events.project_id = facts.project_id and events.timestamp = facts.timestamp and events.uuid = facts.uuid
      and (${sql.join(isMissing, sql` or `)})`.execute(tx)
}

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { copyValues } from '#server/db/copy-rows.ts'
import type { Db } from '#server/db/schema.ts'
import type { ClickHouse } from '../connection.ts'
import { expireMissed } from './missed.ts'
import { LINE_COLUMNS } from './sink.ts'

/** About the most that one insert has. ClickHouse makes a part of it for each month, and merges them later. */
const MAX_EVENTS = 100_000
const MAX_BYTES = 64 * 1024 * 1024
/** About the most that is read at a time. */
const READ_BYTES = 1024 * 1024

interface Batch {
  /** Never used for other events: ClickHouse ignores a second insert with the same token. */
  readonly token: string
  readonly chunks: readonly number[]
}

/**
 * Sends the next events. `beforeInsert` runs when it is certain which these are, so that it sees everything that was
 * stored with them. Returns the last of their chunks, or undefined if there are none.
 */
export async function shipEvents(
  db: Db,
  clickHouse: ClickHouse,
  beforeInsert: () => Promise<unknown>,
): Promise<number | undefined> {
  const batch = (await findBatch(db)) ?? (await beginBatch(db))
  if (!batch) return undefined
  await beforeInsert()
  await clickHouse.insert('events', LINE_COLUMNS, readLines(db, batch), {
    insert_deduplication_token: batch.token,
  })
  await endBatch(db, batch)
  return batch.chunks.at(-1)
}

/** Finds a batch whose insert may have been interrupted. It is sent again as it was. */
async function findBatch(db: Db): Promise<Batch | undefined> {
  const { rows } = await sql<Batch>`select token, chunks from outbox_batch`.execute(db)
  return rows[0]
}

async function beginBatch(db: Db): Promise<Batch | undefined> {
  const { rows } = await sql<Batch>`
    insert into outbox_batch (token, chunks)
    select ${randomUUID()}::uuid, array_agg(id order by id) from (
      select id, sum(events) over earlier as events_before, sum(bytes) over earlier as bytes_before
      from (select id, events, bytes from outbox_events order by id limit 1000) chunks
      window earlier as (order by id rows between unbounded preceding and 1 preceding)
    ) chunks
    where coalesce(events_before, 0) < ${sql.lit(MAX_EVENTS)} and coalesce(bytes_before, 0) < ${sql.lit(MAX_BYTES)}
    having count(*) > 0
    returning token, chunks`.execute(db)
  return rows[0]
}

/** Reads a few chunks at a time, so that a batch is never in memory as a whole. */
async function* readLines(db: Db, { chunks }: Batch): AsyncGenerator<Buffer> {
  const { rows: groups } = await sql<{ ids: string }>`
    select string_agg(id::text, ',') as ids from (
      select id, sum(bytes) over (order by id) / ${sql.lit(READ_BYTES)} as place
      from outbox_events where id = any(${chunks}::bigint[])
    ) chunks group by place order by place`.execute(db)
  for (const { ids } of groups) {
    yield* await copyValues(
      db,
      sql`select lines from outbox_events where id in (${sql.raw(ids)}) order by id`,
    )
  }
}

async function endBatch(db: Db, { token, chunks }: Batch): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ projects: number[] }>`
      delete from outbox_events where id = any(${chunks}::bigint[]) returning projects`.execute(tx)
    await sql`delete from outbox_batch where token = ${token}`.execute(tx)
    await expireMissed(tx, [...new Set(rows.flatMap(({ projects }) => projects))])
  })
}

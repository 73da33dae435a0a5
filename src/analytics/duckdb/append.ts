import type { DuckDBConnection, DuckDBDataChunk, DuckDBValue, DuckDBVector } from '@duckdb/node-api'
import { chunksOf } from '#server/db/values.ts'
import { giveWay } from '#server/turns.ts'
import { type EventBatch, MAX_CHUNK_ROWS, toChunks } from '../event-batch.ts'
import type { EventRow } from '../event-row.ts'
import { type DuckDb, loadDuckDb } from './load.ts'
import { inTransaction } from './transaction.ts'

/**
 * Begins a transaction with a write of nothing. The first write of a transaction waits for a checkpoint of another
 * connection: in a statement on DuckDB's thread, in an appender on the main thread, where it took up to 2.7 s.
 */
export const BEGIN_WRITING = 'begin; execute no_events'

/** Prepares a connection for `appendBatch`. */
export async function prepareAppends(connection: DuckDBConnection): Promise<DuckDBConnection> {
  await connection.run('prepare no_events as insert into events from events limit 0')
  return connection
}

/** Writes all events in one durable commit, numbered from `firstSeq`. */
export async function appendBatch(
  connection: DuckDBConnection,
  batch: EventBatch,
  firstSeq: number,
): Promise<void> {
  const duckdb = await loadDuckDb()
  const now = Date.now()
  let seq = firstSeq
  const write = async () => {
    for (const rows of toChunks(batch)) {
      if (seq > firstSeq) await giveWay()
      await appendChunk(connection, { table: 'events' }, toEventChunk(duckdb, rows, seq, now))
      for (const parts of listParts(rows, seq)) {
        await appendChunk(connection, { table: 'whole_properties' }, toPartChunk(duckdb, parts))
      }
      seq += rows.length
    }
  }
  await inTransaction(connection, write, BEGIN_WRITING)
}

/** Writes each chunk separately: an appender that collects several would block the event loop when it is closed. */
export async function appendChunk(
  connection: DuckDBConnection,
  { table, isTemporary = false }: { readonly table: string; readonly isTemporary?: boolean },
  chunk: DuckDBDataChunk,
): Promise<void> {
  const appender = await (isTemporary
    ? connection.createAppender(table, 'main', 'temp')
    : connection.createAppender(table))
  try {
    appender.appendDataChunk(chunk)
  } catch (error) {
    appender.clear()
    throw error
  } finally {
    appender.closeSync()
    chunk.reset() // frees its texts now, because the garbage collector does not know their size
  }
}

interface Part {
  readonly seq: number
  readonly part: number
  readonly text: string
}

export const MAX_PART_LENGTH = 8 * 1024

function* listParts(rows: readonly EventRow[], firstSeq: number): Generator<Part[]> {
  const parts = rows.flatMap(({ fullProperties }, at) =>
    fullProperties === null ? [] : [...toParts(fullProperties, firstSeq + at)],
  )
  yield* chunksOf(parts, MAX_CHUNK_ROWS)
}

/** Splits between characters, never within a surrogate pair. */
function* toParts(full: string, seq: number): Generator<Part> {
  for (let from = 0, part = 0; from < full.length; part++) {
    const isBetween = (full.codePointAt(from + MAX_PART_LENGTH - 1) ?? 0) <= 0xffff
    const to = from + (isBetween ? MAX_PART_LENGTH : MAX_PART_LENGTH + 1)
    yield { seq, part, text: full.slice(from, to) }
    from = to
  }
}

function toPartChunk(
  { DOUBLE, VARCHAR, DuckDBDataChunk }: DuckDb,
  parts: readonly Part[],
): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create([DOUBLE, DOUBLE, VARCHAR], parts.length)
  chunk.setColumns([
    parts.map(({ seq }) => seq),
    parts.map(({ part }) => part),
    parts.map(({ text }) => text),
  ])
  return chunk
}

/**
 * Passes numbers as doubles and UUIDs as text, because DuckDB converts whole columns in a fraction of the time that
 * JavaScript takes to create bigints (one run each, with times as text too: 6.6 against 9.5 ms for 2,000 events). Sets
 * value by value, because a list for each column takes 10 percent longer and leaves garbage.
 */
function toEventChunk(
  { DOUBLE, VARCHAR, TIMESTAMPTZ, DuckDBTimestampTZValue, DuckDBDataChunk }: DuckDb,
  rows: readonly EventRow[],
  firstSeq: number,
  now: number,
): DuckDBDataChunk {
  const types = [DOUBLE, DOUBLE, VARCHAR, VARCHAR, VARCHAR, TIMESTAMPTZ, VARCHAR, TIMESTAMPTZ]
  const chunk = DuckDBDataChunk.create(types, rows.length)
  const vectors = types.map((_, index) => chunk.getColumnVector(index)) as Vectors
  const [projectIds, seqs, uuids, events, distinctIds, timestamps, properties, arrivals] = vectors
  const toTime = (ms: number) => new DuckDBTimestampTZValue(BigInt(ms) * 1000n)
  const arrivedAt = toTime(now)
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as EventRow
    projectIds.setItem(index, row.projectId)
    seqs.setItem(index, firstSeq + index)
    uuids.setItem(index, row.uuid)
    events.setItem(index, row.event)
    distinctIds.setItem(index, row.distinct_id)
    timestamps.setItem(index, toTime(row.timestamp))
    properties.setItem(index, row.properties)
    arrivals.setItem(index, arrivedAt)
  }
  for (const vector of vectors) vector.flush()
  return chunk
}

type Vector = DuckDBVector<DuckDBValue>
type Vectors = [Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector]

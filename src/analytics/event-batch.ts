import { deserialize, serialize } from 'node:v8'
import type { EventRow } from './event-row.ts'

/** Events that are read in slices, so that only part of a large batch is in memory as objects. */
export interface EventBatch {
  readonly count: number
  /** The approximate size in bytes. */
  readonly size: number
  readonly projectIds: readonly number[]
  slices(): Iterable<readonly EventRow[]>
}

/** Events that another thread has prepared for the store, as bytes that can be transferred without copying. */
export interface PackedEvents {
  readonly count: number
  readonly size: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The maximum number of rows in a DuckDB chunk. */
export const MAX_CHUNK_ROWS = 2048
/** The database's client copies a chunk on the main thread, which takes about 5 ms per MiB. */
export const MAX_CHUNK_SIZE = 1024 * 1024

export function packEvents(rows: readonly Omit<EventRow, 'projectId'>[]): PackedEvents {
  const bytes = serialize(rows) as Uint8Array<ArrayBuffer>
  return { count: rows.length, size: estimateBatchSize(rows as readonly EventRow[]), bytes }
}

export const toBatch = (projectId: number, rows: readonly EventRow[]): EventBatch => ({
  count: rows.length,
  size: estimateBatchSize(rows),
  projectIds: [projectId],
  slices: () => [rows],
})

export const unpackBatch = (projectId: number, packed: readonly PackedEvents[]): EventBatch => ({
  count: sum(packed.map(({ count }) => count)),
  size: sum(packed.map(({ size }) => size)),
  projectIds: [projectId],
  slices: () => unpackSlices(projectId, packed),
})

export const mergeBatches = (batches: readonly EventBatch[]): EventBatch => ({
  count: sum(batches.map(({ count }) => count)),
  size: sum(batches.map(({ size }) => size)),
  projectIds: [...new Set(batches.flatMap(({ projectIds }) => projectIds))],
  slices: () => listSlices(batches),
})

/*
 * These generators are not methods of the batches, because V8 keeps each generator function's data in its old
 * generation, with everything it closes over: the events of every request would stay until the next full collection.
 */

function* unpackSlices(
  projectId: number,
  packed: readonly PackedEvents[],
): Generator<readonly EventRow[]> {
  for (const { bytes } of packed) {
    const rows: EventRow[] = deserialize(bytes)
    yield rows.map((row) => ({ ...row, projectId }))
  }
}

function* listSlices(batches: readonly EventBatch[]): Generator<readonly EventRow[]> {
  for (const batch of batches) yield* batch.slices()
}

/** Splits a batch into chunks, each passed to the database at once. */
export function* toChunks(batch: EventBatch): Generator<readonly EventRow[]> {
  let chunk: EventRow[] = []
  let size = 0
  for (const slice of batch.slices()) {
    for (const row of slice) {
      if (chunk.length === MAX_CHUNK_ROWS || size > MAX_CHUNK_SIZE) {
        yield chunk
        chunk = []
        size = 0
      }
      chunk.push(row)
      size += estimateSize(row)
    }
  }
  if (chunk.length > 0) yield chunk
}

const estimateSize = ({ event, distinct_id, properties, fullProperties }: EventRow): number =>
  100 + event.length + distinct_id.length + properties.length + (fullProperties?.length ?? 0)

const estimateBatchSize = (rows: readonly EventRow[]): number => sum(rows.map(estimateSize))

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

import type { DuckDBConnection } from '@duckdb/node-api'
import type { EventBatch } from '../event-batch.ts'
import { type Limits, setLimits, WHOLE, WHOLE_MB } from './memory-limit.ts'

/**
 * Enough to append and deduplicate ordinary events at the same speed. DuckDB fills whatever memory it may use, and its
 * threads wait for each other in loops: with two, an event took 15 to 22 µs of their processor time instead of 9 to 11.
 */
const IMPORT_MB = 64
/**
 * DuckDB does not give back all memory of what it has written since it opened the file: 25 MB after 4.5 million events.
 * With 64 MB, commits then ran out of memory, and one such failure left the database unusable until it was opened again.
 */
const KEPT_MB_PER_MILLION = 8
/** An import that ran out of memory has this much more from then on. */
const MORE_MB = 32
/** The mean size of the events of a batch above which DuckDB needs more to commit, sort or checkpoint them. */
const MAX_ORDINARY_SIZE = 1024
/** The bytes of ordinary events after which a checkpoint has written large ones: `checkpoint_threshold` is 32 MB. */
const BYTES_TO_CHECKPOINT = 64 * 1024 * 1024
/** Fewer events are not an import, and lowering the limit drops what queries have cached. */
const MIN_EVENTS = 20_000
/** After this pause what queries have cached is dropped. DuckDB would keep it for as long as the server runs. */
const REST_MS = 10_000
/** Less than DuckDB ever has: it then drops all that it can read again. */
const REST: Partial<Limits> = { memory_limit: '1MB' }

type Size = Pick<EventBatch, 'count' | 'size'>

/**
 * Gives DuckDB less memory and one thread while events are imported and nothing else runs, and takes back what it has
 * cached when nothing runs. See docs/decisions/0017.
 */
export interface ImportMemory {
  /** Returns once DuckDB may use all of its memory and threads. It may until `release`. */
  acquire(): Promise<void>
  release(): void
  /** Runs a task with all of the memory. */
  whole<T>(task: () => Promise<T>): Promise<T>
  /** Writes events. The limit follows their number and sizes. */
  write<T>(events: Size, task: () => Promise<T>): Promise<T>
  /** Runs a task that fits into little memory, or else again with all of it. */
  retry<T>(task: () => Promise<T>): Promise<T>
  /** Resolves when the connection is no longer used. */
  stop(): Promise<void>
}

interface Options {
  /** Whether large events may wait for a checkpoint. */
  readonly hasLarge: boolean
  readonly restMs?: number
}

export function createImportMemory(
  connection: DuckDBConnection,
  { hasLarge, restMs = REST_MS }: Options,
): ImportMemory {
  let rest: NodeJS.Timeout | undefined
  let holders = 0
  let writing = 0
  let eventsSinceHeld = 0
  let bytesSinceLarge = hasLarge ? 0 : Number.POSITIVE_INFINITY
  let eventsSinceOpen = 0
  let moreMb = 0
  let low = toImportLimits(0)
  let isLow = false
  let changing: Promise<void> = Promise.resolve()

  function change(toLow: boolean): Promise<void> {
    const wanted = toImportLimits(moreMb + (eventsSinceOpen / 1_000_000) * KEPT_MB_PER_MILLION)
    const hasGrown = toLow && wanted.memory_limit !== low.memory_limit
    if (isLow === toLow && !hasGrown) return changing
    isLow = toLow
    if (toLow) low = wanted
    const changed = changing.then(() => setLimits(connection, toLow ? wanted : WHOLE))
    const settled = changed.catch(() => {
      // DuckDB refuses a limit below what it uses now; the next batch tries again
      if (changing === settled) isLow = false
    })
    changing = settled
    return settled
  }

  async function acquire(): Promise<void> {
    clearTimeout(rest)
    holders++
    eventsSinceHeld = 0
    await change(false)
  }

  function release(): void {
    holders--
    restSoon()
  }

  function restSoon(): void {
    clearTimeout(rest)
    rest = setTimeout(dropCache, restMs).unref()
  }

  /** Lowers the limit for a moment. Whatever begins in between waits, because a checkpoint must not run out of memory. */
  function dropCache(): void {
    if (holders > 0 || writing > 0) return
    changing = changing
      .then(() => setLimits(connection, REST))
      .catch(() => {}) // by then it has dropped what it could
      .then(() => setLimits(connection, isLow ? low : WHOLE))
  }

  async function whole<T>(task: () => Promise<T>): Promise<T> {
    await acquire()
    try {
      return await task()
    } finally {
      release()
    }
  }

  async function retry<T>(task: () => Promise<T>): Promise<T> {
    writing++
    try {
      await changing
      return await task()
    } catch (error) {
      if (!isLow || !isOutOfMemory(error as Error)) throw error
      moreMb += MORE_MB
      return await whole(task)
    } finally {
      writing--
      restSoon()
    }
  }

  return {
    acquire,
    release,
    whole,
    retry,
    async write({ count, size }, task) {
      bytesSinceLarge = size > count * MAX_ORDINARY_SIZE ? 0 : bytesSinceLarge + size
      eventsSinceHeld += count
      eventsSinceOpen += count
      const isOrdinary = bytesSinceLarge > BYTES_TO_CHECKPOINT
      if (!isOrdinary) await change(false)
      else if (holders === 0 && eventsSinceHeld >= MIN_EVENTS) await change(true)
      return retry(task)
    },
    stop() {
      clearTimeout(rest)
      return changing
    },
  }
}

/** Grows in steps, because each change of the limit is a statement. */
function toImportLimits(kept: number): Limits {
  const mb = IMPORT_MB + Math.floor(kept / KEPT_MB_PER_MILLION) * KEPT_MB_PER_MILLION
  return { memory_limit: `${Math.min(mb, WHOLE_MB)}MB`, threads: '1' }
}

/** A commit that finds no memory fails as a transaction does: "Failed to commit: could not allocate block of size ...". */
const isOutOfMemory = ({ message }: Error): boolean =>
  /^Out of Memory Error|: (?:failed to|could not) (?:pin|allocate)/.test(message)

import { sql } from 'kysely'
import { ApiError, OperatorError } from '#server/errors.ts'
import { damagedEvents } from '../damaged-events.ts'
import type { EventStore } from '../event-store.ts'
import { HeavyQueryError } from '../query-errors.ts'
import { wrapMethods } from '../wrap-methods.ts'
import { isDamage, toFirstLine } from './check-file.ts'
import type { Readers } from './readers.ts'

/** Detects that DuckDB has invalidated a database, as it does after a failed checkpoint and after its own mistakes. */
const isInvalidated = (error: Error): boolean =>
  /invalidated|FATAL Error|INTERNAL Error/.test(error.message)

const isDiskFull = (error: Error): boolean =>
  /No space left on device|File too large|Disk quota exceeded/.test(error.message)

interface Recovery {
  readonly path: string
  /** Returns the open store, so that late errors of an earlier one are ignored. */
  current(): unknown
  reopen(): void
  /** Writes a little to check whether the disk has space again. */
  probe(): Promise<unknown>
}

/** Explains disk faults to callers, and reopens the file after DuckDB has invalidated it. */
export function reopenAfterFaults(
  { path, current, reopen, probe }: Recovery,
  store: EventStore,
): EventStore {
  let wasFull = false
  const guard =
    <Args extends unknown[], T>(method: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      const before = current()
      try {
        return await method(...args)
      } catch (error) {
        const isOfCurrent = before === undefined || before === current()
        if (isInvalidated(error as Error) && isOfCurrent && current()) reopen()
        wasFull ||= isDiskFull(error as Error)
        throw toCallersError(error as Error, path)
      }
    }
  return {
    ...wrapMethods(store, guard),
    requireReady: guard(async () => {
      await store.requireReady()
      if (wasFull) await probe()
      wasFull = false
    }),
    requireIntact: store.requireIntact,
    close: store.close,
  }
}

function toCallersError(error: Error, path: string): Error {
  if (error instanceof ApiError || error instanceof OperatorError) return error
  if (isDiskFull(error)) return diskFull(error)
  if (isInvalidated(error)) return reopening(error)
  if (isDamage(error.message)) return damagedEvents(path, toFirstLine(error.message))
  return error
}

const diskFull = (cause: Error): ApiError => {
  const detail = 'The disk is full, so that no events can be stored. Make room on it.'
  return Object.assign(new ApiError('unavailable', detail), { cause })
}

const reopening = (cause: Error): ApiError => {
  const detail = 'The event store is being opened again. Try again in a moment.'
  return Object.assign(new ApiError('unavailable', detail), { cause })
}

/** Reads every value within a time limit; DuckDB compares each block with its checksum. */
export async function readEverything(
  readers: Readers,
  path: string,
  timeoutMs: number,
): Promise<void> {
  try {
    for (const table of ['events', 'whole_properties', 'facts']) {
      await readers.run(sql`select bit_xor(hash(t)) from ${sql.table(table)} t`, timeoutMs)
    }
  } catch (error) {
    if (error instanceof HeavyQueryError) return // more events than can be read in that time
    throw damagedEvents(path, toFirstLine((error as Error).message))
  }
}

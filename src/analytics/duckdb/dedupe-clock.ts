import type { PropertyKeys } from '../materialized-properties.ts'
import type { AppendLog } from './append-log.ts'
import { deleteDuplicates } from './dedupe.ts'
import type { EventsFile } from './file.ts'

/** Runs changes one after the other. */
export type RunExclusively = <T>(change: () => Promise<T>) => Promise<T>

/** Deduplicates after this pause, or once MAX_PENDING events wait, before the next reader would notice. */
const QUIET_MS = 1000
const MAX_PENDING = 100_000

/** Decides when new events are deduplicated. */
export interface DedupeClock {
  /** Returns the number up to which there are no duplicates. Readers look no further. */
  dedupedUpTo(): number
  /** Resolves when everything that was on disk at the call is deduplicated. */
  dedupe(): Promise<void>
  /** Deduplicates soon. */
  schedule(): void
  stop(): void
}

export function createDedupeClock(
  { changes, dedupedUpTo, memory }: EventsFile,
  { committed }: AppendLog,
  keys: () => PropertyKeys,
  runExclusively: RunExclusively,
): DedupeClock {
  let mark = dedupedUpTo
  let timer: NodeJS.Timeout | undefined

  async function dedupe(): Promise<void> {
    const wanted = committed()
    if (mark < wanted) await runExclusively(() => dedupeUpTo(wanted))
  }

  async function dedupeUpTo(wanted: number): Promise<void> {
    if (mark >= wanted) return // an earlier change has done it
    const upTo = committed()
    await memory.retry(() => deleteDuplicates(changes, keys(), mark, upTo))
    mark = upTo
  }

  return {
    dedupedUpTo: () => mark,
    dedupe,
    schedule() {
      clearTimeout(timer)
      const isMuch = committed() - mark >= MAX_PENDING
      // the next reader tries again, and sees the error if it fails again
      timer = setTimeout(() => void dedupe().catch(() => {}), isMuch ? 0 : QUIET_MS).unref()
    },
    stop: () => clearTimeout(timer),
  }
}

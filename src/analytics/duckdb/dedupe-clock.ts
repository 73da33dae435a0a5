/** Deduplicates after this pause, or once MAX_PENDING events wait, before the next reader would notice. */
const QUIET_MS = 1000
const MAX_PENDING = 100_000

interface Deps {
  /** The number up to which the file has no duplicates. */
  readonly dedupedUpTo: number
  /** Returns the highest number that is on disk. */
  committed(): number
  deleteDuplicates(after: number, upTo: number): Promise<void>
  runExclusively(change: () => Promise<void>): Promise<void>
}

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

export function createDedupeClock(deps: Deps): DedupeClock {
  const { committed, deleteDuplicates, runExclusively } = deps
  let mark = deps.dedupedUpTo
  let timer: NodeJS.Timeout | undefined

  async function dedupe(): Promise<void> {
    const wanted = committed()
    if (mark < wanted) await runExclusively(() => dedupeUpTo(wanted))
  }

  async function dedupeUpTo(wanted: number): Promise<void> {
    if (mark >= wanted) return // an earlier change has done it
    const upTo = committed()
    await deleteDuplicates(mark, upTo)
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

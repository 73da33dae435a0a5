import type { DuckDBConnection } from '@duckdb/node-api'

/** What does not fit is written to files meanwhile. */
export const ROOM_TO_ASK = '256MB'
/**
 * The search for duplicates reads the ids of all events there are, and DuckDB keeps what it has read for as long as it
 * fits. With 48 MB an import took 40 % more processor time than without a limit, with 60 no more (docs/decisions/0017).
 */
const ROOM_TO_IMPORT = '60MB'

/** Whoever looks at a dashboard asks again soon, and is better served from memory. */
const ASKED_LATELY_MS = 10_000

/** How much memory DuckDB may use: much for questions and large changes, little for imports. */
export interface Room {
  during<T>(work: () => Promise<T>): Promise<T>
  /** Unless somebody asks, or did so lately. */
  narrow(): Promise<void>
}

/** The connection is used for nothing else. */
export function createRoom(connection: DuckDBConnection): Room {
  let isWide = true
  let working = 0
  let lastWork = Number.NEGATIVE_INFINITY
  let changed: Promise<unknown> = Promise.resolve()

  function setLimit(limit: string): Promise<unknown> {
    isWide = limit === ROOM_TO_ASK
    const turn = changed.then(() => connection.run(`set global memory_limit = '${limit}'`))
    changed = turn.catch(() => {})
    return turn
  }

  return {
    async during(work) {
      working++
      try {
        if (!isWide) await setLimit(ROOM_TO_ASK)
        await changed
        return await work()
      } finally {
        working--
        lastWork = performance.now()
      }
    },
    async narrow() {
      if (!isWide || working > 0 || performance.now() - lastWork < ASKED_LATELY_MS) return
      await setLimit(ROOM_TO_IMPORT).catch(() => {
        isWide = true // more than that is in use: another time
      })
    },
  }
}

import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'

const INTERVAL_MS = 3_600_000
/** The keys of one statement, so that no transaction takes long. */
const STEP = 20_000

export interface KeyExpiry {
  start(): void
  close(): Promise<void>
}

/** Forgets the UUIDs of events that came in more than `days` days ago. With 0 days, all are kept. */
export function createKeyExpiry(db: Db, days: number): KeyExpiry {
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  const run = (): void => {
    running = expireKeys(db, days, closing.signal).catch(() => {}) // the next time does it
  }

  return {
    start() {
      if (days === 0 || timer) return
      timer = setInterval(run, INTERVAL_MS).unref()
      run()
    },
    async close() {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}

export async function expireKeys(db: Db, days: number, signal?: AbortSignal): Promise<void> {
  for (let count = STEP; count === STEP && !signal?.aborted; ) {
    const { numAffectedRows } = await sql`
      delete from event_keys where ctid = any(array(
        select ctid from event_keys where arrived < current_date - ${days}::integer limit ${sql.lit(STEP)}
      ))`.execute(db)
    count = Number(numAffectedRows)
  }
}

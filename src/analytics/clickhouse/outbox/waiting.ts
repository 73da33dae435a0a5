import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import { BusyError } from '#server/errors.ts'

/** The time for which a measured size is taken for the current one. */
const MAX_AGE_MS = 1000

export interface Waiting {
  /** Refuses events while too many wait for ClickHouse. */
  requireRoom(): Promise<void>
  hasEvents(): Promise<boolean>
}

/** Watches the events in the outbox. */
export function createWaiting(db: Db, maxMb: number): Waiting {
  let measuredAt = Number.NEGATIVE_INFINITY
  let isFull = false

  async function measure(): Promise<void> {
    measuredAt = performance.now()
    const { bytes } = await readWaiting(db)
    isFull = bytes > maxMb * 1024 * 1024
  }

  return {
    async requireRoom() {
      if (performance.now() - measuredAt > MAX_AGE_MS) await measure()
      if (!isFull) return
      throw new BusyError(
        `More than ${maxMb} MB of events wait for ClickHouse (EVENTS_WAITING_MB). Send them again when it has caught up.`,
      )
    },
    async hasEvents() {
      const { rows } = await sql`select 1 from outbox_events limit 1`.execute(db)
      return rows.length > 0
    },
  }
}

export interface WaitingEvents {
  readonly events: number
  readonly bytes: number
  /** The age of the oldest, in seconds. */
  readonly seconds: number
  readonly moves: number
}

export async function readWaiting(db: Db): Promise<WaitingEvents> {
  const { rows } = await sql<WaitingEvents>`
    select coalesce(sum(events), 0)::double precision as events, coalesce(sum(bytes), 0)::double precision as bytes,
      coalesce(extract(epoch from now() - min(created_at)), 0)::double precision as seconds,
      (select count(*) from person_moves)::double precision as moves
    from outbox_events`.execute(db)
  return rows[0] as WaitingEvents
}

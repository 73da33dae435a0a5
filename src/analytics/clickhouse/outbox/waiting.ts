import { sql } from 'kysely'
import type { OutboxState } from '#server/analytics/event-store.ts'
import { hasTable } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { BusyError } from '#server/errors.ts'

/** The time for which a measured size counts as the current one. */
const MAX_AGE_MS = 1000
const MB = 1024 * 1024

export interface Waiting {
  /** Refuses events while too many wait for ClickHouse. */
  requireRoom(): Promise<void>
}

/** Watches the events in the outbox. */
export function createWaiting(db: Db, maxMb: number): Waiting {
  let measuredAt = Number.NEGATIVE_INFINITY
  let isFull = false

  async function measure(): Promise<void> {
    measuredAt = performance.now()
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(bytes), 0)::double precision as bytes from outbox_events`.execute(db)
    isFull = (rows[0]?.bytes ?? 0) > maxMb * MB
  }

  return {
    async requireRoom() {
      if (performance.now() - measuredAt > MAX_AGE_MS) await measure()
      if (!isFull) return
      throw new BusyError(
        `More than ${maxMb} MB of events wait for ClickHouse (EVENTS_WAITING_MB). Send them again when it has caught up.`,
      )
    },
  }
}

/** Finds the last events that wait. Returns 0 if none do. */
export async function findLastEvents(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from outbox_events`.execute(db)
  return rows[0]?.id ?? 0
}

/** Tells whether events up to these wait. */
export async function areWaiting(db: Db, last: number): Promise<boolean> {
  const { rows } = await sql`select 1 from outbox_events where id <= ${last} limit 1`.execute(db)
  return rows.length > 0
}

/** Reads what waits, without creating the tables. */
export async function readWaiting(db: Db, maxMb: number): Promise<OutboxState> {
  const maxBytes = maxMb * MB
  if (!(await hasTable(db, 'outbox_events'))) return { ...NOTHING, maxBytes }
  const { rows } = await sql<Omit<OutboxState, 'maxBytes'>>`
    select coalesce(sum(events), 0)::double precision as events, coalesce(sum(bytes), 0)::double precision as bytes,
      coalesce(extract(epoch from now() - min(created_at)), 0)::double precision as seconds,
      (select count(*) from person_moves)::double precision as "mergedPersons",
      (select count(*) from outbox_changes where change::json ->> 'kind' = 'delete')::double precision as deletions
    from outbox_events`.execute(db)
  return { ...NOTHING, ...rows[0], maxBytes }
}

const NOTHING = { events: 0, bytes: 0, seconds: 0, mergedPersons: 0, deletions: 0 } as const

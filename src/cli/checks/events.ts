import { DamagedEventsError } from '#server/analytics/damaged-events.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { findInstallation } from '#server/analytics/installation.ts'
import { openEventStore, toEngine } from '#server/analytics/open.ts'
import { hasTable } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { bad, type Check, good, warning } from './check.ts'
import { type HintOptions, toRestoreHint } from './restore-hint.ts'

const HOUR_MS = 3_600_000
/** The alert rules have the same limit. */
const MAX_WAIT_MINUTES = 5

/** Reads all events, unless a server has them open and checks them. */
export async function checkEvents(db: Db, options: HintOptions): Promise<Check> {
  const { place, exists } = toEngine(options)
  const installation = (await hasTable(db, 'installation')) && (await findInstallation(db))
  if (installation) return checkContents(db, options)
  try {
    const when = (await exists(db)) ? 'checked at the next start' : 'created with the first event'
    return good('events', `${place} (${when})`)
  } catch (error) {
    return bad('events', (error as Error).message) // the database itself was reached before
  }
}

async function checkContents(db: Db, options: HintOptions): Promise<Check> {
  const { place, files } = toEngine(options)
  const events = openEventStore({ ...options, db })
  try {
    await events.requireIntact(HOUR_MS)
    return await checkOutbox(place, events)
  } catch (error) {
    // only a file can be open in another process; a database that does not respond is a problem
    const isUnavailable = error instanceof ApiError && error.code === 'unavailable'
    if (isUnavailable && files.length > 0)
      return good('events', `${place} (open in the running server)`)
    const hint = error instanceof DamagedEventsError ? ` ${await toRestoreHint(options)}` : ''
    return bad('events', `${(error as Error).message}${hint}`)
  } finally {
    await events.close()
  }
}

/** Tells how long events have waited for ClickHouse, if they are there. Throws if it does not respond. */
async function checkOutbox(place: string, { readOutbox, readParts }: EventStore): Promise<Check> {
  await readParts?.()
  const outbox = await readOutbox?.()
  if (!outbox) return good('events', place)
  const minutes = Math.floor(outbox.seconds / 60)
  return minutes < MAX_WAIT_MINUTES
    ? good('events', `${place} (version, clock, settings, grants: ok; waiting: ${outbox.events})`)
    : warning(
        'events',
        `Events have waited for ${place} for ${minutes} minutes (waiting: ${outbox.events}). The log of the servers says why.`,
      )
}

import { DamagedEventsError } from '#server/analytics/damaged-events.ts'
import { findInstallation } from '#server/analytics/installation.ts'
import { openEventStore, toEngine } from '#server/analytics/open.ts'
import { hasTable } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { bad, type Check, good } from './check.ts'
import { type HintOptions, toRestoreHint } from './restore-hint.ts'

const HOUR_MS = 3_600_000

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
    return good('events', place)
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

import type { ClickHouseSettings } from '#server/db/open.ts'
import { OperatorError } from '#server/errors.ts'
import { openRestore } from '../derive/restore.ts'
import type { EventEngine } from '../engine.ts'
import { connectToClickHouse, EventsUnavailableError, toPlace } from './connection.ts'
import { hasStore, isKnown } from './open-tables.ts'
import { probe } from './probe.ts'
import { createClickHouseStore } from './store.ts'

/** Keeps events in ClickHouse. The database of the projects, PostgreSQL, takes them in. */
export const toClickHouseEngine = (settings: ClickHouseSettings): EventEngine => ({
  place: toPlace(settings.url),
  files: [],
  async exists(db) {
    if (await isKnown(db)) return true
    const clickHouse = connectToClickHouse(settings)
    try {
      await probe(clickHouse)
      return await hasStore(clickHouse)
    } catch (error) {
      throw error instanceof EventsUnavailableError ? new OperatorError(error.message) : error
    } finally {
      await clickHouse.close()
    }
  },
  createStore: (db, options) =>
    createClickHouseStore({
      db,
      clickHouse: connectToClickHouse(settings),
      ...settings,
      ...options,
    }),
  async openRestore({ tx, folder, installation }) {
    if (!tx) throw new Error('A restore to ClickHouse needs a transaction.')
    const { openRestoreTables } = await import('./restore.ts') // servers do not need it
    return openRestore(
      await openRestoreTables(tx, connectToClickHouse(settings), { folder, installation }),
    )
  },
})

import type { ClickHouseSettings } from '#server/db/open.ts'
import { openRestore } from '../derive/restore.ts'
import type { EventEngine } from '../engine.ts'
import { openLater } from './open-later.ts'
import { toPlace } from './place.ts'

/** Keeps events in ClickHouse. The database of the projects, PostgreSQL, takes them in. */
export const toClickHouseEngine = (settings: ClickHouseSettings): EventEngine => ({
  place: toPlace(settings.url),
  files: [],
  async exists(db) {
    const { exists } = await import('./exists.ts')
    return exists(db, settings)
  },
  createStore: (db, options) =>
    openLater(async () => {
      const { createClickHouseStore } = await import('./store.ts')
      return createClickHouseStore({ db, ...settings, ...options })
    }),
  async openRestore({ tx, folder, installation }) {
    if (!tx) throw new Error('A restore to ClickHouse needs a transaction.')
    const { openRestoreTables } = await import('./restore.ts')
    return openRestore(await openRestoreTables(tx, settings, { folder, installation }))
  },
})

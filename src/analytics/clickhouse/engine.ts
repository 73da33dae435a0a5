import type { ClickHouseSettings } from '#server/config/clickhouse.ts'
import { openRestore } from '../derive/restore.ts'
import type { EventEngine } from '../engine.ts'
import { connectToClickHouse } from './connection.ts'
import { isKnown } from './open-tables.ts'
import { createClickHouseStore } from './store.ts'

/** Keeps events in ClickHouse. The database of the projects, PostgreSQL, takes them in. */
export const toClickHouseEngine = (settings: ClickHouseSettings): EventEngine => ({
  place: 'ClickHouse',
  files: [],
  exists: isKnown,
  createStore: (db, options) =>
    createClickHouseStore({ db, clickHouse: connectToClickHouse(settings), ...settings, ...options }),
  async openRestore({ tx, folder, installation }) {
    if (!tx) throw new Error('A restore to ClickHouse needs a transaction.')
    const { openRestoreTables } = await import('./restore.ts') // servers do not need it
    return openRestore(await openRestoreTables(tx, connectToClickHouse(settings), { folder, installation }))
  },
})

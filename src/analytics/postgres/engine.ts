import { openRestore } from '../derive/restore.ts'
import type { EventEngine } from '../engine.ts'
import { createPostgresStore } from './store.ts'
import { hasEventTables } from './tables.ts'

/** Keeps events in the database of the projects. */
export const POSTGRES_ENGINE: EventEngine = {
  place: 'PostgreSQL',
  files: [],
  exists: hasEventTables,
  createStore: createPostgresStore,
  async openRestore({ tx, folder }) {
    if (!tx) throw new Error('A restore to PostgreSQL needs a transaction.')
    const { openRestoreTables } = await import('./restore.ts') // servers do not need it
    return openRestore(await openRestoreTables(tx, folder))
  },
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openRestore } from '../derive/restore.ts'
import type { EventEngine } from '../engine.ts'
import { EVENTS_FILE } from './file.ts'
import { createDuckDbStore } from './store.ts'

/** Keeps events in a file of the data folder. */
export function toDuckDbEngine(dataFolder: string): EventEngine {
  const place = join(dataFolder, EVENTS_FILE)
  return {
    place,
    files: [EVENTS_FILE],
    exists: async () => existsSync(place),
    createStore: (db, options) => createDuckDbStore(dataFolder, db, options),
    async openRestore({ folder, installation }) {
      const { openRestoreTables } = await import('./restore.ts') // servers do not need it
      return openRestore(await openRestoreTables(folder, installation))
    },
  }
}

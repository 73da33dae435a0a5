import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EVENTS_FILE, type EventsFile } from '#server/analytics/duckdb/file.ts'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { INSTALLATION } from './query-data.ts'
import { seed } from './seed.ts'

/** Creates a data folder with ten dashboards and events. Importing 10 million would take minutes. */
export async function seedEvents(
  data: string,
  makeEvents: (folder: string) => Promise<EventsFile>,
): Promise<void> {
  await seed(data, 10)
  await rm(join(data, EVENTS_FILE), { force: true })
  const database = new DatabaseSync(join(data, SQLITE_FILE))
  // the server refuses events of another installation
  database.exec(`insert into installation values (1, '${INSTALLATION}', 1)
    on conflict do update set id = '${INSTALLATION}', has_events = 1`)
  database.close()
  const file = await makeEvents(data)
  await file.close()
}

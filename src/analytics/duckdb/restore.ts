import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { RestoreTables } from '../derive/restore.ts'
import { findLastNumbers } from '../derive/sql/last-numbers.ts'
import type { Installation } from '../installation.ts'
import { fromPart, requirePart } from '../parquet/check-part.ts'
import { columnsOf, type PortableTable } from '../portable-tables.ts'
import { MAX_PART_LENGTH } from './append.ts'
import { type EventsFile, openEventsFile } from './file.ts'
import { toRunner } from './runner.ts'
import { PARTS_FOLDER } from './snapshot.ts'

/** Restores into a new file in a folder that has none. */
export async function openRestoreTables(
  folder: string,
  installation: Installation,
): Promise<RestoreTables> {
  let file = await openEventsFile(folder, { ...installation, has_events: 0 })
  let isOpen = true
  const partsFolder = join(folder, PARTS_FOLDER)
  return {
    partsFolder,
    clear: async () => void (await mkdir(partsFolder, { mode: 0o700 })),
    check: (table, path, rows) => requirePart(file.changes, table, path, rows),
    async add(table, path) {
      for (const statement of toInserts(table, path)) await file.changes.run(statement)
    },
    async complete() {
      await setMarks(file)
      isOpen = false
      await file.close()
      file = await openEventsFile(folder, { ...installation, has_events: 1 }) // rebuilds facts
      isOpen = true
    },
    async count(table) {
      const count = sql`select count(*) as count from ${sql.table(table)}`
      return (await file.readers.run(count, 60_000))[0]?.count as number
    },
    async close() {
      if (isOpen) await file.close()
      await rm(partsFolder, { recursive: true, force: true })
    },
  }
}

function toInserts(table: PortableTable, path: string): string[] {
  const columns = columnsOf(table).filter((name) => name !== 'whole')
  const source = fromPart(path)
  const insert = `insert into ${table} (${columns.join()}) select ${columns.join()} from ${source}`
  if (table !== 'events') return [insert]
  return [
    insert,
    `insert into whole_properties
      select seq, part, substring(whole, (part * ${MAX_PART_LENGTH} + 1)::bigint, ${MAX_PART_LENGTH})
      from (
        select seq, whole, unnest(range(ceil(length(whole) / ${MAX_PART_LENGTH})::bigint)) as part
        from ${source} where whole is not null
      )`,
  ]
}

/** The events are deduplicated, and their persons complete. Facts are missing. */
async function setMarks({ changes }: EventsFile): Promise<void> {
  const { seq, position, lowestPerson } = await findLastNumbers(toRunner(changes), 'events')
  await changes.run(
    `update meta set settled_up_to = ${seq}, identified_up_to = ${seq}, facts_up_to = -1`,
  )
  await changes.run(`create or replace sequence person_edit_positions start with ${position + 1}`)
  await changes.run(
    `create or replace sequence person_numbers start with ${lowestPerson - 1} increment by -1`,
  )
}

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Installation } from '../installation.ts'
import {
  columnsOf,
  countTables,
  type EventRestore,
  type PortableTable,
} from '../portable-tables.ts'
import { MAX_PART_LENGTH } from './append.ts'
import { fromPart, requirePart } from './check-part.ts'
import { type EventsFile, openEventsFile } from './file.ts'
import { readRows } from './read-rows.ts'
import { PARTS_FOLDER } from './snapshot.ts'

/** Restores into a new file in a folder. The file is complete when `finish` resolves. */
export async function openDuckDbRestore(
  folder: string,
  installation: Installation,
): Promise<EventRestore> {
  const file = await openEventsFile(folder, installation)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= file.close()
    return closing
  }
  const partsFolder = join(folder, PARTS_FOLDER)
  await mkdir(partsFolder, { mode: 0o700 })
  return {
    partsFolder,
    async add(table, path, rows) {
      await requirePart(file.changes, table, path, rows)
      for (const statement of toInserts(table, path)) await file.changes.run(statement)
    },
    async finish() {
      await setMarks(file)
      const counts = await countRows(file)
      await close()
      const complete = await openEventsFile(folder, { ...installation, has_events: 1 }) // rebuilds facts
      await complete.close()
      await rm(partsFolder, { recursive: true })
      return counts
    },
    close,
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

/** The events are deduplicated, and their persons complete. Facts are missing. New numbers follow those that are used. */
async function setMarks({ changes }: EventsFile): Promise<void> {
  const [row] = await readRows<[number, number, number]>(
    changes,
    `select
      greatest(0, (select max(seq) from events), (select max(number) from persons), (select max(up_to) from person_bases),
        (select max(after_seq) from person_edits), (select max(after_seq) from group_edits))::double,
      greatest(0, (select max(position) from person_edits), (select max(position) from group_edits))::double,
      least(0, (select min(number) from persons), (select min(number) from persons_base))::double`,
  )
  const [seq, position, number] = row as [number, number, number]
  await changes.run(
    `update meta set settled_up_to = ${seq}, identified_up_to = ${seq}, facts_up_to = -1`,
  )
  await changes.run(`create or replace sequence person_edit_positions start with ${position + 1}`)
  await changes.run(
    `create or replace sequence person_numbers start with ${number - 1} increment by -1`,
  )
}

const countRows = ({ readers }: EventsFile) =>
  countTables(async (table) => {
    const [row] = await readers.run(sql`select count(*) as count from ${sql.table(table)}`, 60_000)
    return row?.count as number
  })

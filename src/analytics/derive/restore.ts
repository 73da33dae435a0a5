import type { Db } from '#server/db/schema.ts'
import { type EventRestore, PORTABLE_TABLE_NAMES, type PortableTable } from '../portable-tables.ts'
import { countTables } from './snapshot.ts'

/** The portable tables of one engine while they are filled from a backup. Nobody else uses them. */
export interface RestoreTables {
  readonly partsFolder: string
  /** Drops what is there, and creates empty tables. */
  clear(): Promise<void>
  /** Throws unless a file is a part of a table with this number of rows. */
  check(table: PortableTable, path: string, rows: number): Promise<void>
  add(table: PortableTable, path: string): Promise<void>
  /** Derives what a backup does not contain. New numbers must follow those of the rows. */
  complete(): Promise<void>
  count(table: PortableTable): Promise<number>
  publish?(db: Db): Promise<void>
  close(): Promise<void>
}

/** Empties the tables, then adds checked parts in the order of `PORTABLE_TABLES`. */
export async function openRestore(tables: RestoreTables): Promise<EventRestore> {
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= tables.close()
    return closing
  }
  try {
    await tables.clear()
  } catch (error) {
    await close()
    throw error
  }
  const added = new Map<PortableTable, number>()
  let position = 0
  return {
    partsFolder: tables.partsFolder,
    async add(table, path, rows) {
      const place = PORTABLE_TABLE_NAMES.indexOf(table)
      if (place < position) throw new Error(`rows of ${table} come too late`)
      position = place
      await tables.check(table, path, rows)
      await tables.add(table, path)
      added.set(table, (added.get(table) ?? 0) + rows)
    },
    async finish() {
      await tables.complete()
      const counts = await countTables(tables)
      const wrong = PORTABLE_TABLE_NAMES.find((table) => counts[table] !== (added.get(table) ?? 0))
      if (wrong)
        throw new Error(`stored ${counts[wrong]} of ${added.get(wrong) ?? 0} rows of ${wrong}`)
      await close()
      return counts
    },
    publish: async (db) => tables.publish?.(db),
    close,
  }
}

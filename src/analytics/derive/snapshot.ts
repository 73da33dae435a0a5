import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EventSnapshot,
  type Part,
  PORTABLE_TABLE_NAMES,
  type PortableTable,
  type TableCounts,
} from '../portable-tables.ts'

/** The portable tables of one engine as they were at one moment. */
export interface SnapshotTables {
  /** The folder in which parts are written. */
  readonly folder: string
  count(table: PortableTable): Promise<number>
  /** Writes the next rows of a table to a file and returns their number, or undefined after the last row. */
  writePart(table: PortableTable, path: string): Promise<number | undefined>
  /** Stops the part that is being written. */
  interrupt?(): void
  close(): Promise<void>
}

/** Counts the rows first, and ensures that the parts have all of them. */
export async function openSnapshot(tables: SnapshotTables): Promise<EventSnapshot> {
  const counts = await countTables(tables).catch(async (error) => {
    await tables.close()
    throw error
  })
  const written = new Map<PortableTable, number>()
  let number = 0
  let running: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | undefined

  async function writePart(table: PortableTable): Promise<Part | undefined> {
    for (;;) {
      const path = join(tables.folder, `${++number}.parquet`)
      const rows = await tables.writePart(table, path)
      if (rows) {
        written.set(table, (written.get(table) ?? 0) + rows)
        return { path, rows }
      }
      await rm(path, { force: true })
      if (rows === undefined) break
    }
    const total = written.get(table) ?? 0
    if (total !== counts[table]) {
      throw new Error(`Read ${total} of ${counts[table]} rows of ${table}.`)
    }
    return undefined
  }

  async function end(): Promise<void> {
    tables.interrupt?.()
    await running
    await tables.close()
  }

  return {
    counts,
    nextPart(table) {
      const part = writePart(table)
      running = part.catch(() => {})
      return part
    },
    close() {
      closing ??= end()
      return closing
    },
  }
}

export async function countTables({
  count,
}: {
  count(table: PortableTable): Promise<number>
}): Promise<TableCounts> {
  const counts = {} as Record<PortableTable, number>
  for (const table of PORTABLE_TABLE_NAMES) counts[table] = await count(table)
  return counts
}

/** Opens the snapshot of a store that does not exist yet. */
export const emptySnapshot = (): Promise<EventSnapshot> =>
  openSnapshot({
    folder: '',
    count: async () => 0,
    writePart: async () => undefined,
    close: async () => {},
  })

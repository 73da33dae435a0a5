import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { SnapshotTables } from '../derive/snapshot.ts'
import {
  columnsOf,
  LONG_TEXTS,
  MAX_PART_BYTES,
  MAX_PART_ROWS,
  type PortableTable,
} from '../portable-tables.ts'
import { quote } from './facts.ts'
import { readRows } from './read-rows.ts'

/** The only folder besides the store's own files that its statements can reach. */
export const PARTS_FOLDER = 'backup.tmp'

/** Only deduplicated events: up to that number there are no duplicates, and persons and groups are complete. */
const DEDUPED = '(select settled_up_to from meta)'

interface SnapshotOptions {
  readonly folder: string
  /** Later projects are left out. */
  readonly lastProjectId: number
  readonly onClose: () => void
}

/** Begins a transaction on a connection of its own, in which nothing changes until `close`. Nobody waits for it. */
export async function openSnapshotTables(
  connection: DuckDBConnection,
  { folder, lastProjectId, onClose }: SnapshotOptions,
): Promise<SnapshotTables> {
  const partsFolder = join(folder, PARTS_FOLDER)
  await rm(partsFolder, { recursive: true, force: true }) // of a process that was killed
  await mkdir(partsFolder, { mode: 0o700 })
  await connection.run('begin transaction read only')
  const ends = new Map<PortableTable, number>()
  const positions = new Map<PortableTable, number>()
  return {
    folder: partsFolder,
    async count(table) {
      const deduped = table === 'events' ? `and seq <= ${DEDUPED}` : ''
      const [row] = await readRows<[number, number]>(
        connection,
        `select count(*)::double, coalesce(max(rowid), -1)::double from ${table} where project_id <= ${lastProjectId} ${deduped}`,
      )
      const [count, last] = row as [number, number]
      ends.set(table, last + 1)
      return count
    },
    async writePart(table, path) {
      const from = positions.get(table) ?? 0
      if (from >= (ends.get(table) as number)) return undefined
      const to = await findPartEnd(connection, table, from)
      positions.set(table, to)
      return copyRange(connection, table, { from, to, lastProjectId, path })
    },
    interrupt: () => connection.interrupt(),
    async close() {
      await connection.run('rollback').catch(() => {}) // fails after a failed statement
      connection.closeSync()
      await rm(partsFolder, { recursive: true, force: true })
      onClose()
    },
  }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly lastProjectId: number
}

/** Halves the range until its texts fit into a part. */
async function findPartEnd(
  connection: DuckDBConnection,
  table: PortableTable,
  from: number,
): Promise<number> {
  for (let count = MAX_PART_ROWS; ; count = Math.ceil(count / 2)) {
    if (count === 1 || (await measure(connection, table, from, from + count)) <= MAX_PART_BYTES) {
      return from + count
    }
  }
}

async function measure(
  connection: DuckDBConnection,
  table: PortableTable,
  from: number,
  to: number,
): Promise<number> {
  const texts = columnsOf(table).filter((name) => LONG_TEXTS.includes(name) && name !== 'whole')
  if (texts.length === 0) return 0
  const size = texts.map((name) => `strlen(${name})`).join(' + ')
  const inRange = `rowid >= ${from} and rowid < ${to}`
  const full =
    table === 'events'
      ? `+ (select coalesce(sum(strlen(text)), 0) from whole_properties
          where seq between (select min(seq) from events where ${inRange}) and (select max(seq) from events where ${inRange}))`
      : ''
  const [row] = await readRows<[number]>(
    connection,
    `select (coalesce(sum(${size}), 0) ${full})::double from ${table} where ${inRange}`,
  )
  return row?.[0] ?? 0
}

async function copyRange(
  connection: DuckDBConnection,
  table: PortableTable,
  { path, ...range }: Range & { readonly path: string },
): Promise<number> {
  const result = await connection.run(
    `copy (${selectRange(table, range)}) to ${quote(path)} (format parquet, compression zstd)`,
  )
  return result.rowsChanged
}

function selectRange(table: PortableTable, { from, to, lastProjectId }: Range): string {
  const columns = columnsOf(table)
  const inRange = `rowid >= ${from} and rowid < ${to} and project_id <= ${lastProjectId}`
  if (table !== 'events')
    return `select ${columns.join()} from ${table} where ${inRange} order by rowid`
  return `with part as (select * from events where ${inRange} and seq <= ${DEDUPED}),
      texts as (
        select seq, string_agg(text, '' order by whole_properties.part) as whole from whole_properties
        where seq between (select min(seq) from part) and (select max(seq) from part) group by seq
      )
    select ${columns.join()} from part left join texts using (seq) order by seq`
}

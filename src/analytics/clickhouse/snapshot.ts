import type { Tx } from '#server/db/schema.ts'
import type { SnapshotTables } from '../derive/snapshot.ts'
import { createPartWriter } from '../parquet/part-writer.ts'
import type { Value } from '../parquet/write-parquet.ts'
import { openSnapshotTables as openPostgresTables, readTable } from '../postgres/snapshot.ts'
import type { ClickHouse } from './connection.ts'
import { unmarkLongNumbers } from './long-numbers.ts'

/** Sorts on disk what does not fit into this much memory. */
const SORTING = { max_bytes_before_external_sort: String(512 * 1024 * 1024) }

/** Reads events from `copy`, and everything else in the given transaction. Drops the copy in the end. */
export async function openSnapshotTables(
  tx: Tx,
  clickHouse: ClickHouse,
  { folder, copy }: { readonly folder: string; readonly copy: string },
): Promise<SnapshotTables> {
  const tables = await openPostgresTables(tx, folder)
  return {
    ...tables,
    async count(table) {
      if (table !== 'events') return tables.count(table)
      const [row] = await clickHouse.read<{ count: number }>(
        `select toInt64(count()) as count from ${copy}`,
      )
      return row?.count ?? 0
    },
    writePart: createPartWriter((table) =>
      table === 'events' ? readEvents(clickHouse, copy) : readTable(tx, table),
    ),
    close: () => dropCopy(clickHouse, copy),
  }
}

type StoredRow = Readonly<Record<string, Value>> & { readonly properties: string }

async function* readEvents({ stream }: ClickHouse, copy: string) {
  const statement = `
    select project_id, seq, toString(uuid) as uuid, event, distinct_id, toString(timestamp * 1000) as timestamp,
      properties, whole, toString(created_at * 1000) as created_at
    from ${copy} order by seq`
  for await (const rows of stream<StoredRow>(statement, SORTING)) {
    for (const row of rows) yield { ...row, properties: unmarkLongNumbers(row.properties) }
  }
}

/** Makes a copy of the events as they are now. It shares their files, so it takes no time and no room. */
export async function copyEvents({ run, layout }: ClickHouse, copy: string): Promise<void> {
  if (layout.cluster === undefined) {
    await run(`create table ${copy} clone as ${layout.events}`)
    return
  }
  await run(`create table ${copy}_local ${layout.onCluster} clone as ${layout.events}`)
  await run(`create table ${copy} ${layout.onCluster} as events
    engine = Distributed(${layout.cluster}, currentDatabase(), ${copy}_local)`)
}

export async function dropCopy({ run, layout }: ClickHouse, copy: string): Promise<void> {
  await run(`drop table if exists ${copy} ${layout.onCluster} sync`)
  if (layout.cluster !== undefined)
    await run(`drop table if exists ${copy}_local ${layout.onCluster} sync`)
}

import { MAX_PART_BYTES, MAX_PART_ROWS, type PortableTable } from '../portable-tables.ts'
import { type ParquetCell, toColumns, type Value, writeParquet } from './write-parquet.ts'

/** The most rows that are in memory at a time, and about the most bytes of their texts. */
const MAX_GROUP_ROWS = 5000
const MAX_GROUP_BYTES = 2 * 1024 * 1024

/** A row of a portable table, by its columns. */
export type ReadRow = Readonly<Record<string, Value>>

/** Writes the rows of tables as parts, for engines that do not write Parquet. Returns undefined after the last row. */
export function createPartWriter(read: (table: PortableTable) => AsyncIterable<ReadRow>) {
  const readers = new Map<PortableTable, AsyncGenerator<Group>>()
  return async (table: PortableTable, path: string): Promise<number | undefined> => {
    const reader = readers.get(table) ?? readGroups(table, read(table))
    readers.set(table, reader)
    return (await writeParquet(table, takePart(reader), path)) || undefined
  }
}

/** Rows, by column, and the length of their texts. */
interface Group {
  readonly columns: ParquetCell[][]
  rows: number
  size: number
}

const emptyGroup = (columns: readonly unknown[]): Group => ({
  columns: columns.map(() => []),
  rows: 0,
  size: 0,
})

/** Takes groups until a part is full. The reader stays open for the next part. */
async function* takePart(reader: AsyncGenerator<Group>): AsyncGenerator<ParquetCell[][]> {
  let [count, size] = [0, 0]
  while (count < MAX_PART_ROWS && size <= MAX_PART_BYTES) {
    const { value: group } = await reader.next()
    if (!group) return
    yield group.columns
    count += group.rows
    size += group.size
  }
}

async function* readGroups(
  table: PortableTable,
  rows: AsyncIterable<ReadRow>,
): AsyncGenerator<Group> {
  const columns = toColumns(table)
  let group = emptyGroup(columns)
  for await (const row of rows) {
    for (const [index, { name, toCell }] of columns.entries()) {
      const cell = toCell(row[name] ?? null)
      group.columns[index]?.push(cell)
      if (typeof cell === 'string') group.size += cell.length
    }
    if (++group.rows < MAX_GROUP_ROWS && group.size <= MAX_GROUP_BYTES) continue
    yield group
    group = emptyGroup(columns)
  }
  if (group.rows > 0) yield group
}

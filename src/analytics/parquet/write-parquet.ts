import { type FileHandle, open } from 'node:fs/promises'
import { zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { PORTABLE_TABLES, type PortableTable } from '../portable-tables.ts'

/** A value as `createPartWriter` takes it; a time is the text of its microseconds since 1970. */
export type Value = string | number | boolean | null
/** A value as Parquet stores it. */
export type ParquetCell = Value | bigint | Uint8Array

type Element = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

interface ColumnType {
  /** Describes a column of the type as DuckDB does. */
  readonly element: Omit<Element, 'name'>
  readonly toCell?: (value: Value) => ParquetCell
}

const COLUMN_TYPES: Readonly<Record<string, ColumnType>> = {
  bigint: {
    element: { type: 'INT64', converted_type: 'INT_64' },
    toCell: (value) => BigInt(value as number),
  },
  integer: { element: { type: 'INT32', converted_type: 'INT_32' } },
  boolean: { element: { type: 'BOOLEAN' } },
  varchar: { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' } },
  uuid: {
    element: {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 16,
      logical_type: { type: 'UUID' },
    },
    toCell: (value) => Buffer.from((value as string).replaceAll('-', ''), 'hex'),
  },
  timestamptz: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    toCell: (value) => BigInt(value as string),
  },
}

interface Column {
  readonly name: string
  readonly element: Element
  readonly toCell: (value: Value) => ParquetCell
}

export const toColumns = (table: PortableTable): Column[] =>
  Object.entries(PORTABLE_TABLES[table]).map(([name, type]) => {
    const { element, toCell } = COLUMN_TYPES[type] as ColumnType
    return {
      name,
      element: { name, repetition_type: 'OPTIONAL', ...element },
      toCell: toCell ? (value) => (value === null ? null : toCell(value)) : (value) => value,
    }
  })

/**
 * Writes groups of rows, given by column, into one file and returns the number of rows. DuckDB could write it too, but
 * loading it takes more memory than everything else in a backup.
 */
export async function writeParquet(
  table: PortableTable,
  groups: AsyncIterable<ParquetCell[][]>,
  path: string,
): Promise<number> {
  const columns = toColumns(table)
  const file = await open(path, 'wx', 0o600)
  try {
    const writer = new ParquetWriter({
      writer: new FileWriter(file),
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.map(({ element }) => element),
      ],
      codec: 'ZSTD',
      compressors: { ZSTD: zstdCompressSync },
      statistics: false,
    })
    let count = 0
    for await (const group of groups) {
      const rows = group[0]?.length ?? 0
      const columnData = columns.map(({ name }, index) => ({
        name,
        data: group[index] as ParquetCell[],
      }))
      await writer.write({ columnData, rowGroupSize: rows })
      count += rows
    }
    await writer.finish()
    return count
  } finally {
    await file.close()
  }
}

/** Keeps one group of rows in memory. */
class FileWriter extends ByteWriter {
  readonly #file: FileHandle

  constructor(file: FileHandle) {
    super()
    this.#file = file
  }

  async flush(): Promise<void> {
    await this.#file.writeFile(new Uint8Array(this.buffer, 0, this.index)) // continues where the last write ended
    this.index = 0
  }

  override finish(): Promise<void> {
    return this.flush()
  }
}

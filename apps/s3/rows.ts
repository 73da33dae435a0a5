import { createMapper as createCsvMapper, type Mapped } from '../csv/mapping.ts'
import { readRows as readCsvRows, toNamedColumns } from '../csv/rows.ts'
import { createMapper } from '../http-json/mapping.ts'
import { listPaths, type NamedColumn } from '../shared/columns.ts'
import { parseJson } from '../shared/json.ts'
import { readLines } from '../shared/lines.ts'
import { unpack } from './gunzip.ts'
import type { StoredFile } from './object.ts'
import { readParquet } from './parquet.ts'

export type Format = 'csv' | 'json lines' | 'parquet'

export interface Mapping {
  readonly event: string
  readonly distinctIdField: string
  /** Empty for the time of the import. */
  readonly timestampField: string
}

export interface MappedRow {
  /** Says where the row is, for messages. */
  readonly place: string
  readonly mapped: Mapped
  readonly row: unknown
}

/** The formats of files by their names. */
const BY_NAME: readonly (readonly [RegExp, Format])[] = [
  [/\.(csv|tsv)(\.gz)?$/i, 'csv'],
  [/\.(jsonl|ndjson)(\.gz)?$/i, 'json lines'],
  [/\.parquet$/i, 'parquet'],
]

export const findFormat = (key: string): Format | undefined =>
  BY_NAME.find(([pattern]) => pattern.test(key))?.[1]

type Batches = AsyncGenerator<readonly MappedRow[]>

type OnColumns = (columns: readonly NamedColumn[]) => Promise<unknown>

interface Reading {
  readonly source: string
  /** The rows that were imported before. */
  readonly done: number
  /** Takes the columns or fields of the file, before its first rows are yielded. */
  readonly onColumns: OnColumns
}

/** Yields the rows of a file after those that are done, in batches. */
export function readRows(
  file: StoredFile,
  format: Format,
  mapping: Mapping,
  reading: Reading,
): Batches {
  const { source, done, onColumns } = reading
  if (format === 'csv') return readCsv(file, mapping, reading)
  const map = createMapper({
    ...{ url: source, event: mapping.event, idField: '', properties: [] },
    ...{ distinctIdField: mapping.distinctIdField, timestampField: mapping.timestampField },
  })
  const batches =
    format === 'parquet' ? readParquetRows(file, map, done) : readJson(file, map, done)
  return withFields(batches, onColumns)
}

/** Takes the fields from the first rows. */
async function* withFields(batches: Batches, onColumns: OnColumns): Batches {
  let isFirst = true
  for await (const batch of batches) {
    if (isFirst && batch.length > 0) await onColumns(listPaths(batch.map(({ row }) => row)))
    isFirst &&= batch.length === 0
    yield batch
  }
}

async function* readCsv(
  file: StoredFile,
  { event, distinctIdField, timestampField }: Mapping,
  { source, done, onColumns }: Reading,
): Batches {
  const mapping = {
    event,
    distinctIdColumn: distinctIdField,
    timestampColumn: timestampField,
  }
  let map: ReturnType<typeof createCsvMapper> | undefined
  let left = done
  for await (const { columns, rows } of readCsvRows(unpack(file.read()), 'auto')) {
    if (!map) await onColumns(toNamedColumns({ columns, rows }))
    map ??= createCsvMapper(columns, mapping, source)
    const toEvent = map
    const filled = rows.filter(({ fields }) => fields.length > 1 || fields[0] !== '')
    yield filled.slice(left).map((row) => ({
      place: `line ${row.line}`,
      mapped: toEvent(row),
      row: row.fields,
    }))
    left = Math.max(left - filled.length, 0)
  }
}

type MapItem = ReturnType<typeof createMapper>

async function* readJson(file: StoredFile, map: MapItem, done: number): Batches {
  let line = 0
  let left = done
  for await (const lines of readLines(unpack(file.read()))) {
    const filled = lines
      .map((text) => ({ text, place: `line ${++line}` }))
      .filter(({ text }) => text.trim() !== '')
    yield filled.slice(left).map(({ text, place }) => {
      const item = parseJson(text)
      return { place, mapped: item === undefined ? 'not JSON.' : map(item), row: item ?? text }
    })
    left = Math.max(left - filled.length, 0)
  }
}

async function* readParquetRows(file: StoredFile, map: MapItem, done: number): Batches {
  let row = done
  for await (const records of readParquet(file, done)) {
    yield records.map((record) => ({ place: `row ${++row}`, mapped: map(record), row: record }))
  }
}

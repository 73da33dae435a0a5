import { createMapper as createCsvMapper, type Mapped } from '../csv/mapping.ts'
import { readRows as readCsvRows } from '../csv/rows.ts'
import { createMapper } from '../http-json/mapping.ts'
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

/** Yields the rows of a file after those that are done, in batches. */
export function readRows(
  file: StoredFile,
  format: Format,
  mapping: Mapping,
  { source, done }: { readonly source: string; readonly done: number },
): AsyncGenerator<readonly MappedRow[]> {
  if (format === 'csv') return readCsv(file, mapping, source, done)
  const map = createMapper({
    ...{ url: source, event: mapping.event, idField: '', properties: [] },
    ...{ distinctIdField: mapping.distinctIdField, timestampField: mapping.timestampField },
  })
  return format === 'parquet' ? readParquetRows(file, map, done) : readJson(file, map, done)
}

async function* readCsv(
  file: StoredFile,
  { event, distinctIdField, timestampField }: Mapping,
  source: string,
  done: number,
): AsyncGenerator<readonly MappedRow[]> {
  const mapping = {
    event,
    distinctIdColumn: distinctIdField,
    timestampColumn: timestampField,
  }
  let map: ReturnType<typeof createCsvMapper> | undefined
  let left = done
  for await (const { columns, rows } of readCsvRows(unpack(file.read()), 'auto')) {
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

async function* readJson(
  file: StoredFile,
  map: MapItem,
  done: number,
): AsyncGenerator<readonly MappedRow[]> {
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

async function* readParquetRows(
  file: StoredFile,
  map: MapItem,
  done: number,
): AsyncGenerator<readonly MappedRow[]> {
  let row = done
  for await (const records of readParquet(file, done)) {
    yield records.map((record) => ({ place: `row ${++row}`, mapped: map(record), row: record }))
  }
}

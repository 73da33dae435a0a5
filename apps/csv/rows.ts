import type { NamedColumn } from '../shared/columns.ts'
import { createDecoder } from '../shared/decode.ts'
import { type Column, detectColumns, nameColumns } from './columns.ts'
import { detectDialect } from './dialect.ts'
import { type CsvReader, type CsvRow, createCsvReader } from './reader.ts'

/** Enough of a file to detect its dialect and columns. */
const SAMPLE_LENGTH = 64 * 1024

export interface CsvPart {
  readonly columns: readonly Column[]
  readonly rows: readonly CsvRow[]
  /** The number of bytes read so far. */
  readonly bytes: number
}

/** Yields the rows that each chunk completes. The first line names the columns. */
export async function* readRows(
  pieces: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<CsvPart> {
  const decoder = createDecoder()
  let sample = ''
  let reader: CsvReader | undefined
  let columns: readonly Column[] | undefined
  let bytes = 0

  const start = (isLast: boolean): CsvPart => {
    const dialect = detectDialect(sample, delimiter)
    reader = createCsvReader(dialect.delimiter, dialect.newline)
    const [header, ...rows] = reader.read(sample, isLast)
    if (!header) throw new Error('The file is empty.')
    if (header.problem) throw new Error(`Header: ${header.problem}`)
    columns = detectColumns(nameColumns(header.fields), rows)
    sample = ''
    return { columns, rows, bytes }
  }

  for await (const piece of pieces) {
    bytes += piece.length
    const text = decoder.push(piece)
    if (reader && columns) {
      yield { columns, rows: reader.read(text), bytes }
      continue
    }
    sample += text
    if (sample.length >= SAMPLE_LENGTH) yield start(false)
  }
  const rest = decoder.push(new Uint8Array(), true)
  if (reader && columns) yield { columns, rows: reader.read(rest, true), bytes }
  else {
    sample += rest
    yield start(true)
  }
}

/** Lists the columns with a value of each, for the form of the settings. */
export const toNamedColumns = ({
  columns,
  rows,
}: Pick<CsvPart, 'columns' | 'rows'>): NamedColumn[] =>
  columns.map(({ name, type }, index) => ({
    ...{ name, type },
    example: rows.find(({ fields }) => fields[index])?.fields[index] ?? '',
  }))

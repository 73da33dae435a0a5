import type { Calls } from './calls.ts'
import type { Streams } from './streams.ts'

type Row = Record<string, unknown>

/** Runs one statement. The host reads the database, because apps have no network. */
export type ReadRows = (
  url: string,
  text: string,
  parameters: readonly unknown[],
) => Promise<{ rows: Row[] }>

/** The host streams the rows, each line a list of some. */
export const createRowReader =
  (
    kind: 'postgres' | 'mysql',
    calls: Calls,
    streams: Streams,
    BufferClass: typeof Buffer,
  ): ReadRows =>
  async (url, text, parameters) => {
    const stream = calls.nextId()
    streams.open(stream)
    try {
      const { jsonColumns } = await calls.callAs<{ jsonColumns: readonly string[] }>(
        stream,
        kind,
        url,
        text,
        parameters,
      )
      const chunks: Uint8Array[] = []
      for await (const chunk of streams.read(stream)) chunks.push(chunk)
      const lines = BufferClass.concat(chunks).toString('utf8').split('\n')
      const rows = lines.flatMap((line): Row[] => (line === '' ? [] : JSON.parse(line)))
      for (const row of rows) for (const column of jsonColumns) parseColumn(row, column)
      return { rows }
    } finally {
      streams.discard(stream)
    }
  }

function parseColumn(row: Row, column: string): void {
  if (typeof row[column] === 'string') row[column] = JSON.parse(row[column])
}

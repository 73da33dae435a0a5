import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Tx } from './schema.ts'

/** The parameter of a COPY statement: its rows as bytes. */
class CopiedRows {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/**
 * Inserts rows by COPY, which writes a page of them at once instead of row by row. `lines` has one line per row, of
 * fields with tabs between.
 */
export async function copyRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  lines: string,
): Promise<void> {
  const rows = new CopiedRows(Buffer.from(lines))
  await tx.executeQuery(
    CompiledQuery.raw(`copy ${table} (${columns.join()}) from stdin`, [rows as unknown]),
  )
}

const SPECIAL = /[\\\n\r\t]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Writes a text or null as a field of a line. Numbers, booleans, UUIDs and times need no escapes. */
export const toField = (text: string | null): string =>
  text === null ? '\\N' : text.replace(SPECIAL, (character) => ESCAPES[character] as string)

/** Lets a client run the statements of `copyRows`, which the client itself refuses. */
export function supportCopy(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((text: string, values: unknown, ...others: unknown[]) => {
    const rows = Array.isArray(values) ? values[0] : undefined
    if (!(rows instanceof CopiedRows)) return query(text, values, ...others)
    return new Promise((resolve, reject) => {
      query(new Copy(text, rows.bytes, () => resolve({ command: 'COPY', rows: [] }), reject))
    })
  }) as typeof client.query
}

/** The type of a message with rows, and the message after the last of them. */
const COPY_DATA = 'd'.charCodeAt(0)
const COPY_DONE = Buffer.from([...Buffer.from('c'), 0, 0, 0, 4])
/** The bytes of a message's length, which count too. */
const LENGTH_BYTES = 4

/** The statement as the client sees it: it calls these methods as messages of PostgreSQL come in. */
class Copy implements pg.Submittable {
  readonly #text: string
  readonly #bytes: Buffer
  readonly handleReadyForQuery: () => void
  readonly handleError: (error: Error) => void

  constructor(text: string, bytes: Buffer, onDone: () => void, onError: (error: Error) => void) {
    this.#text = text
    this.#bytes = bytes
    this.handleReadyForQuery = onDone
    this.handleError = onError
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse({ stream }: pg.Connection): void {
    const head = Buffer.alloc(1 + LENGTH_BYTES)
    head[0] = COPY_DATA
    head.writeUInt32BE(this.#bytes.length + LENGTH_BYTES, 1)
    stream.cork()
    for (const part of [head, this.#bytes, COPY_DONE]) stream.write(part)
    stream.uncork()
  }

  handleCommandComplete(): void {}
}

import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from './schema.ts'

/** The parameter of a COPY statement: the rows to insert as bytes, or none if it reads rows. */
class CopiedRows {
  readonly bytes: Buffer
  constructor(bytes = Buffer.alloc(0)) {
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

/** Reads a column without nulls by COPY, as bytes: every other statement makes strings of them. */
export async function copyValues(db: Db, select: RawBuilder<unknown>): Promise<Buffer[]> {
  const { sql: text } = sql`copy (${select}) to stdout (format binary)`.compile(db)
  const { rows } = await db.executeQuery<Buffer>(CompiledQuery.raw(text, [new CopiedRows()]))
  return rows
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

/** Lets a client run the statements of `copyRows` and `copyValues`, which the client itself refuses. */
export function supportCopy(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((text: string, values: unknown, ...others: unknown[]) => {
    const rows = Array.isArray(values) ? values[0] : undefined
    if (!(rows instanceof CopiedRows)) return query(text, values, ...others)
    return new Promise((resolve, reject) => {
      const onDone = (read: Buffer[]) => resolve({ command: 'COPY', rows: read })
      query(new Copy(text, rows.bytes, onDone, reject))
    })
  }) as typeof client.query
}

/** The type of a message with rows, and the message after the last of them. */
const COPY_DATA = 'd'.charCodeAt(0)
const COPY_DONE = Buffer.from([...Buffer.from('c'), 0, 0, 0, 4])
/** The bytes of a message's length, which count too. */
const LENGTH_BYTES = 4
/** Binary rows begin with a signature, flags and the length of an extension, before the first row. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const HEAD_BYTES = SIGNATURE.length + 8
/** The count of columns and the length of the only value, before the value. */
const ROW_HEAD_BYTES = 2 + LENGTH_BYTES

/** The statement as the client sees it: it calls these methods as messages of PostgreSQL come in. */
class Copy implements pg.Submittable {
  readonly #text: string
  readonly #bytes: Buffer
  readonly #values: Buffer[] = []
  readonly handleReadyForQuery: () => void
  readonly handleError: (error: Error) => void

  constructor(
    text: string,
    bytes: Buffer,
    onDone: (values: Buffer[]) => void,
    onError: (error: Error) => void,
  ) {
    this.#text = text
    this.#bytes = bytes
    this.handleReadyForQuery = () => onDone(this.#values)
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

  /** Copies the value of a row, because the client uses the memory again. Each message has one row. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const isFirst = chunk.subarray(0, SIGNATURE.length).equals(SIGNATURE)
    const row = isFirst ? chunk.subarray(HEAD_BYTES) : chunk
    if (row.length >= ROW_HEAD_BYTES) this.#values.push(Buffer.from(row.subarray(ROW_HEAD_BYTES)))
  }

  handleCommandComplete(): void {}
}

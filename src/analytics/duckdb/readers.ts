import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api'
import { ApiError, invalid } from '#server/errors.ts'
import { giveWay } from '#server/turns.ts'
import type { Sql, StatementRow } from '../event-table.ts'
import { HeavyQueryError, outOfMemory, queryTimeout } from '../query-errors.ts'
import type { Runaways } from '../runaways.ts'
import { compileStatement } from './compile-statement.ts'
import type { ImportMemory } from './import-memory.ts'
import { toStatementRows } from './to-rows.ts'

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Reads the result while it is computed, because that of a user's SQL may be too large. */
  readonly isStreamed?: boolean
  /** The number of characters that all rows together may have. */
  readonly maxTextLength?: number | undefined
}

export interface Readers {
  run(statement: Sql, timeoutMs: number, options?: RunOptions): Promise<StatementRow[]>
  /** Returns whether all statements have ended, so that the database can be closed. */
  close(): Promise<boolean>
}

/** Interrupts are repeated until the statement ends, because one that is just starting ignores them. */
const INTERRUPT_AGAIN_MS = 20

/** Runs each statement on a connection of its own, since a connection runs one at a time. Connections are reused. */
export function createReaders(
  connect: () => Promise<DuckDBConnection>,
  runaways: Runaways,
  memory: ImportMemory,
): Readers {
  const idle: DuckDBConnection[] = []
  const busy = new Set<DuckDBConnection>()
  const running = new Set<Promise<unknown>>()
  const closing = new AbortController()

  async function runNow(
    statement: Sql,
    timeoutMs: number,
    { signal, isStreamed = false, maxTextLength }: RunOptions,
  ): Promise<StatementRow[]> {
    await giveWay() // compiling dozens of statements takes long
    const text = compileStatement(statement)
    const connection = idle.pop() ?? (await connect())
    const timeout = AbortSignal.timeout(timeoutMs)
    const stop = AbortSignal.any([closing.signal, timeout, ...(signal ? [signal] : [])])
    const read = () =>
      untilStopped(connection, stop, async () => {
        const result = await (isStreamed ? stream(connection, text) : connection.run(text))
        return toStatementRows(result, maxTextLength)
      })
    try {
      const kept = keep(
        connection,
        isStreamed ? () => read().finally(() => free(connection)) : read,
      )
      return await runaways.watch(kept, stop)
    } catch (error) {
      closing.signal.throwIfAborted()
      signal?.throwIfAborted()
      if (error instanceof HeavyQueryError) throw error
      throw timeout.aborted ? queryTimeout(timeoutMs) : toApiError(error as Error)
    }
  }

  /** Keeps the connection until the statement has ended, even if nobody waits for it any more. */
  async function keep<T>(connection: DuckDBConnection, read: () => Promise<T>): Promise<T> {
    busy.add(connection)
    try {
      const rows = await read()
      idle.push(connection)
      return rows
    } catch (error) {
      connection.closeSync() // a part of the result may be left
      throw error
    } finally {
      busy.delete(connection)
    }
  }

  return {
    async run(statement, timeoutMs, options = {}) {
      closing.signal.throwIfAborted()
      const query = () => runNow(statement, timeoutMs, options)
      const rows = memory.whole(query).finally(() => running.delete(rows))
      running.add(rows)
      return rows
    },
    async close() {
      closing.abort(new Error('The event store is closed.'))
      await Promise.allSettled(running)
      if (busy.size > 0) return false // no statement may run on a closed database
      for (const connection of idle) connection.closeSync()
      return true
    },
  }
}

/**
 * Begins a statement whose result is read while it is computed. The connection keeps it by its name, because the main
 * thread would have to free the memory of a statement of its own.
 */
async function stream(connection: DuckDBConnection, text: string): Promise<DuckDBResult> {
  await connection.run(`prepare streamed as ${text}`)
  return connection.stream('execute streamed')
}

const free = (connection: DuckDBConnection) => connection.run('deallocate streamed')

/** Interrupts a statement when `stop` aborts. */
async function untilStopped<T>(
  connection: DuckDBConnection,
  stop: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  stop.throwIfAborted()
  let again: NodeJS.Timeout | undefined
  const interrupt = () => {
    connection.interrupt()
    again = setInterval(() => connection.interrupt(), INTERRUPT_AGAIN_MS)
  }
  stop.addEventListener('abort', interrupt, { once: true })
  try {
    return await read()
  } finally {
    stop.removeEventListener('abort', interrupt)
    clearInterval(again)
  }
}

/** Turns errors caused by a statement's values into API errors; all others are bugs. */
function toApiError(error: Error): Error {
  if (error instanceof ApiError) return error
  if (/^Out of Memory Error/.test(error.message)) return outOfMemory()
  if (/^(Invalid Input|Conversion|Out of Range) Error/.test(error.message)) {
    return invalid('query', error.message.split('\n')[0] ?? '')
  }
  return error
}

import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { giveWay } from '#server/concurrency.ts'
import { ApiError, invalid } from '#server/errors.ts'
import type { Sql, StatementRow } from '../event-table.ts'
import { outOfMemory, queryTimeout } from '../query-errors.ts'
import { toRows } from './to-rows.ts'

/** Never executes: only compiles fragments to text with `$1`, which DuckDB accepts too. */
export const compiler = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export interface Readers {
  /** `maxTextLength` is described at `EventQuery`. */
  run(
    statement: Sql,
    timeoutMs: number,
    signal?: AbortSignal,
    maxTextLength?: number,
  ): Promise<StatementRow[]>
  close(): Promise<void>
}

/** Interrupts are repeated until the statement ends, because one that is just starting ignores them. */
const INTERRUPT_AGAIN_MS = 20

/** Runs each statement on a connection of its own, since a connection runs one at a time. Connections are reused. */
export function createReaders(connect: () => Promise<DuckDBConnection>): Readers {
  const idle: DuckDBConnection[] = []
  const running = new Set<Promise<unknown>>()
  const closing = new AbortController()

  async function runNow(
    statement: Sql,
    timeoutMs: number,
    signal?: AbortSignal,
    maxTextLength?: number,
  ): Promise<StatementRow[]> {
    await giveWay() // compiling dozens of statements takes long
    const { sql, parameters } = statement.compile(compiler)
    const connection = idle.pop() ?? (await connect())
    const timeout = AbortSignal.timeout(timeoutMs)
    const stop = AbortSignal.any([closing.signal, timeout, ...(signal ? [signal] : [])])
    const end = interruptWhenAborted(connection, stop)
    try {
      stop.throwIfAborted()
      const result = await connection.run(sql, [...parameters] as DuckDBValue[])
      return await toRows(result, maxTextLength)
    } catch (error) {
      closing.signal.throwIfAborted()
      signal?.throwIfAborted()
      throw timeout.aborted ? queryTimeout(timeoutMs) : toApiError(error as Error)
    } finally {
      end()
      idle.push(connection)
    }
  }

  return {
    async run(statement, ...options) {
      closing.signal.throwIfAborted()
      const asked = runNow(statement, ...options).finally(() => running.delete(asked))
      running.add(asked)
      return asked
    },
    async close() {
      closing.abort(new Error('The event store is closed.'))
      await Promise.allSettled(running) // no statement may run on a closed database
      for (const connection of idle) connection.closeSync()
    },
  }
}

/** Returns a function to call when the statement has ended. */
function interruptWhenAborted(connection: DuckDBConnection, stop: AbortSignal): () => void {
  let again: NodeJS.Timeout | undefined
  const interrupt = () => {
    connection.interrupt()
    again = setInterval(() => connection.interrupt(), INTERRUPT_AGAIN_MS)
  }
  stop.addEventListener('abort', interrupt, { once: true })
  return () => {
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

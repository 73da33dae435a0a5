import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { ApiError, invalid } from '#server/errors.ts'
import type { Cell, Row, Sql } from '../event-table.ts'
import { outOfMemory, queryTimeout } from '../query-errors.ts'

/** Runs nothing: it only turns fragments into text with `$1`, which DuckDB reads too. */
const compiler = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export interface Readers {
  run(statement: Sql, timeoutMs: number): Promise<Row[]>
  close(): Promise<void>
}

/** A connection runs one statement at a time, so that several viewers need several. They are made when they are needed. */
export function createReaders(connect: () => Promise<DuckDBConnection>, most: number): Readers {
  const idle: DuckDBConnection[] = []
  const waiting: ((connection: DuckDBConnection) => void)[] = []
  const busy = new Set<DuckDBConnection>()
  const running = new Set<Promise<unknown>>()
  let made = 0
  let isClosed = false

  async function acquire(): Promise<DuckDBConnection> {
    const free = idle.pop()
    if (free) return free
    if (made >= most) return new Promise((resolve) => waiting.push(resolve))
    made++
    return connect()
  }

  function release(connection: DuckDBConnection): void {
    const next = waiting.shift()
    if (next) next(connection)
    else idle.push(connection)
  }

  async function runNow(statement: Sql, timeoutMs: number): Promise<Row[]> {
    const { sql, parameters } = statement.compile(compiler)
    const connection = await acquire()
    let late = false
    const timer = setTimeout(() => {
      late = true
      connection.interrupt()
    }, timeoutMs)
    busy.add(connection)
    try {
      if (isClosed) throw closed()
      const reader = await connection.runAndReadAll(sql, [...parameters] as DuckDBValue[])
      return reader.getRowObjectsJS().map(toRow)
    } catch (error) {
      if (isClosed) throw closed()
      throw late ? queryTimeout(timeoutMs) : toApiError(error as Error)
    } finally {
      clearTimeout(timer)
      busy.delete(connection)
      release(connection)
    }
  }

  return {
    run(statement, timeoutMs) {
      if (isClosed) return Promise.reject(closed())
      const asked = runNow(statement, timeoutMs).finally(() => running.delete(asked))
      running.add(asked)
      return asked
    },
    async close() {
      isClosed = true
      const interrupt = () => {
        for (const connection of busy) connection.interrupt()
      }
      interrupt()
      // again and again: what has not quite begun does not notice
      const again = setInterval(interrupt, 20)
      await Promise.allSettled(running) // nothing is to run on a database that is closed
      clearInterval(again)
      for (const connection of idle) connection.closeSync()
    },
  }
}

const closed = (): Error => new Error('The event store is closed.')

const toRow = (row: Record<string, unknown>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toCell(cell)]))

function toCell(cell: unknown): Cell {
  if (typeof cell === 'bigint') return Number(cell)
  if (typeof cell === 'number' && !Number.isFinite(cell)) return null // JSON has no word for it
  if (cell === undefined) return null
  return cell as Cell
}

/** Blames the caller for errors that a statement's values cause; all others are ours. */
function toApiError(error: Error): Error {
  if (error instanceof ApiError) return error
  if (/^Out of Memory Error/.test(error.message)) return outOfMemory()
  if (/^(Invalid Input|Conversion|Out of Range) Error/.test(error.message)) {
    return invalid('query', error.message.split('\n')[0] ?? '')
  }
  return error
}

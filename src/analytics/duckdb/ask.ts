import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { ApiError, invalid } from '../../errors.ts'
import type { Cell, Row, Sql } from '../event-table.ts'
import { tooLarge, tooSlow } from '../too-slow.ts'

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
  ask(statement: Sql, timeoutMs: number): Promise<Row[]>
  close(): void
}

/** A connection runs one statement at a time, so that several viewers need several. They are made when they are needed. */
export function createReaders(connect: () => Promise<DuckDBConnection>, most: number): Readers {
  const idle: DuckDBConnection[] = []
  const waiting: ((connection: DuckDBConnection) => void)[] = []
  let made = 0

  async function take(): Promise<DuckDBConnection> {
    const free = idle.pop()
    if (free) return free
    if (made >= most) return new Promise((resolve) => waiting.push(resolve))
    made++
    return connect()
  }

  function giveBack(connection: DuckDBConnection): void {
    const next = waiting.shift()
    if (next) next(connection)
    else idle.push(connection)
  }

  return {
    async ask(statement, timeoutMs) {
      const { sql, parameters } = statement.compile(compiler)
      const connection = await take()
      let late = false
      const timer = setTimeout(() => {
        late = true
        connection.interrupt()
      }, timeoutMs)
      try {
        const reader = await connection.runAndReadAll(sql, [...parameters] as DuckDBValue[])
        return reader.getRowObjectsJS().map(toRow)
      } catch (error) {
        throw late ? tooSlow(timeoutMs) : explain(error as Error)
      } finally {
        clearTimeout(timer)
        giveBack(connection)
      }
    },
    close() {
      for (const connection of idle) connection.closeSync()
    },
  }
}

const toRow = (row: Record<string, unknown>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toCell(cell)]))

function toCell(cell: unknown): Cell {
  if (typeof cell === 'bigint') return Number(cell)
  if (typeof cell === 'number' && !Number.isFinite(cell)) return null // JSON has no word for it
  if (cell === undefined) return null
  return cell as Cell
}

/** What a statement's values are to blame for is the caller's; all else is ours. */
function explain(error: Error): Error {
  if (error instanceof ApiError) return error
  if (/^Out of Memory Error/.test(error.message)) return tooLarge()
  if (/^(Invalid Input|Conversion|Out of Range) Error/.test(error.message)) {
    return invalid('query', error.message.split('\n')[0] ?? '')
  }
  return error
}

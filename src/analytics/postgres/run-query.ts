import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { giveWay, mapInTurns } from '#server/turns.ts'
import type { Cell, EventQuery, StatementRow } from '../event-table.ts'
import { DEFAULT_TIMEOUT_MS, outOfMemory, queryTimeout } from '../query-errors.ts'
import type { Runaways } from '../runaways.ts'
import { createTextLimit } from '../text-limit.ts'
import { toEventTable } from './event-table.ts'
import type { MaterializedColumns } from './materialized-columns.ts'

/** The memory of each sort and hash of a statement. */
const WORK_MEM = '64MB'

type PostgresError = { readonly code?: string; readonly message: string }

/** The code of the error that ends a terminated backend. */
const TERMINATED = '57P01'

interface Deps {
  readonly db: Db
  readonly collation: string
  readonly runaways: Runaways
}

export async function runEventQuery(
  { db, collation, runaways }: Deps,
  projectId: number,
  { toSql, timeoutMs = DEFAULT_TIMEOUT_MS, signal, maxTextLength, effort: _, ...needs }: EventQuery,
): Promise<StatementRow[]> {
  const timeout = new AbortController()
  const stop = AbortSignal.any([timeout.signal, ...(signal ? [signal] : [])])
  let backend: number | undefined
  let timer: NodeJS.Timeout | undefined
  const transaction = db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { materialized, pid } = await prepare(tx, timeoutMs)
      backend = pid
      timer = setTimeout(() => timeout.abort(), timeoutMs) // not before, because it may have waited for a connection
      const table = toEventTable(projectId, collation, materialized, needs)
      await giveWay() // compiling dozens of statements takes long
      const statement = sql<StatementRow>`${toSql(table)}`
      const { rows } = await cancelWhenAborted(db, pid, signal, () => statement.execute(tx))
      return toRows(rows, maxTextLength)
    })
  try {
    return await runaways.watch(transaction, stop, () => terminate(db, backend))
  } catch (error) {
    signal?.throwIfAborted()
    if (timeout.signal.aborted && (error as PostgresError).code === TERMINATED) {
      throw queryTimeout(timeoutMs)
    }
    throw toApiError(error as PostgresError, timeoutMs)
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a connection whose backend does not react to a cancellation. */
const terminate = async (db: Db, pid: number | undefined): Promise<unknown> =>
  pid === undefined ? undefined : sql`select pg_terminate_backend(${pid})`.execute(db)

interface Prepared {
  readonly materialized: MaterializedColumns
  /** The ID of the backend process. */
  readonly pid: number | undefined
}

/** Configures the transaction and reads which properties have columns, in one statement. */
async function prepare(tx: Tx, timeoutMs: number): Promise<Prepared> {
  const { rows } = await sql<{ key: string | null; position: number; pid: number }>`
    select key, position, pg_backend_pid() as pid from (
      select set_config('statement_timeout', ${String(Math.ceil(timeoutMs))}, true),
        set_config('work_mem', ${WORK_MEM}, true), set_config('timezone', 'UTC', true),
        set_config('jit', 'off', true), -- compiling takes longer than it saves
        set_config('random_page_cost', '1.1', true) -- the default makes PostgreSQL read whole tables instead of an index
    ) settings left join hot_properties on is_filled`.execute(tx)
  const materialized = new Map(
    rows.flatMap(({ key, position }): [string, number][] =>
      key === null ? [] : [[key, position]],
    ),
  )
  return { materialized, pid: rows[0]?.pid }
}

/** Also waits for the cancellation, which otherwise could stop the connection's next statement. */
async function cancelWhenAborted<T>(
  db: Db,
  pid: number | undefined,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (!signal) return run()
  signal.throwIfAborted()
  let cancellation: Promise<unknown> | undefined
  const cancel = () => {
    // if it fails, the statement ends with its timeout
    cancellation = sql`select pg_cancel_backend(${pid})`.execute(db).catch(() => {})
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await run()
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancellation
  }
}

/** Replaces what JSON cannot represent in each row, in as many turns of the event loop as it takes. */
function toRows(rows: readonly StatementRow[], maxTextLength?: number): Promise<StatementRow[]> {
  const countText = createTextLimit(maxTextLength)
  return mapInTurns(rows, (row) => {
    const cells: Record<string, Cell> = {}
    for (const [name, cell] of Object.entries(row)) {
      countText(cell)
      cells[name] = typeof cell === 'number' && !Number.isFinite(cell) ? null : cell
    }
    return cells
  })
}

/** A request for more than 1 GB at once is an internal error: the states of a regular expression may need that. */
const isOutOfMemory = ({ code, message }: PostgresError): boolean =>
  code === '53200' || (code === 'XX000' && message.startsWith('invalid memory alloc request size'))

/** Maps PostgreSQL's error classes: 22 concerns values, such as a division by zero, and 54 its limits, as of columns. */
function toApiError(error: PostgresError, timeoutMs: number): unknown {
  if (error.code === '57014') return queryTimeout(timeoutMs)
  if (/^(22|54)/.test(error.code ?? '')) return invalid('query', error.message)
  if (isOutOfMemory(error)) return outOfMemory()
  return error
}

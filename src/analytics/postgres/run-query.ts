import { sql } from 'kysely'
import { giveWay, mapInTurns } from '#server/concurrency.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import type { Cell, EventQuery, StatementRow } from '../event-table.ts'
import { DEFAULT_TIMEOUT_MS, queryTimeout } from '../query-errors.ts'
import { createTextLimit } from '../text-limit.ts'
import { toEventTable } from './event-table.ts'
import type { HotProperties } from './hot-properties.ts'

/** The memory of each sort and hash of a statement. */
const WORK_MEM = '64MB'

export async function runEventQuery(
  db: Db,
  alphabet: string,
  projectId: number,
  { toSql, timeoutMs = DEFAULT_TIMEOUT_MS, signal, maxTextLength, ...asked }: EventQuery,
): Promise<StatementRow[]> {
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        const hot = await prepare(tx, timeoutMs)
        const table = toEventTable(projectId, alphabet, hot, asked)
        await giveWay() // compiling dozens of statements takes long
        const statement = sql<StatementRow>`${toSql(table)}`
        const { rows } = await cancelWhenAborted(db, tx, signal, () => statement.execute(tx))
        return await toRows(rows, maxTextLength)
      })
  } catch (error) {
    signal?.throwIfAborted()
    throw toApiError(error as { code?: string; message: string }, timeoutMs)
  }
}

/** Configures the transaction and reads which properties have columns, in one statement. */
async function prepare(tx: Tx, timeoutMs: number): Promise<HotProperties> {
  const { rows } = await sql<{ key: string | null; position: number }>`
    select key, position from (
      select set_config('statement_timeout', ${String(Math.ceil(timeoutMs))}, true),
        set_config('work_mem', ${WORK_MEM}, true), set_config('timezone', 'UTC', true),
        set_config('jit', 'off', true), -- compiling takes longer than it saves
        set_config('random_page_cost', '1.1', true) -- the default makes PostgreSQL read whole tables instead of an index
    ) settings left join hot_properties on is_filled`.execute(tx)
  return new Map(rows.flatMap(({ key, position }) => (key === null ? [] : [[key, position]])))
}

/** Also waits for the cancellation, which otherwise could stop the connection's next statement. */
async function cancelWhenAborted<T>(
  db: Db,
  tx: Tx,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (!signal) return run()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  signal.throwIfAborted()
  let cancellation: Promise<unknown> | undefined
  const cancel = () => {
    // if it fails, the statement ends with its timeout
    cancellation = sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db).catch(() => {})
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

/** Maps PostgreSQL's error classes: 22 concerns values, such as a division by zero. */
function toApiError(error: { code?: string; message: string }, timeoutMs: number): unknown {
  if (error.code === '57014') return queryTimeout(timeoutMs)
  if (error.code?.startsWith('22') || error.code === '2201B') return invalid('query', error.message)
  return error
}

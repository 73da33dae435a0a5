import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { tryLock } from '#server/analytics/postgres/locks.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { ClickHouse } from '../connection.ts'
import { applyChanges, listChanges } from './apply-changes.ts'
import { applyMoves, listMoves } from './apply-moves.ts'
import { shipEvents } from './ship-events.ts'
import { shipRows } from './ship-rows.ts'
import { findLastEvents } from './waiting.ts'

/** The interval at which a server looks for what others have left. */
const POLL_MS = 1000
/** Gathers events that come in at the same time, because each insert makes a part. */
const GATHER_MS = 100
/** The time after a failure, or while another server ships. */
const RETRY_MS = 250
/** Merges are applied after this time even if they are few. */
const MOVES_INTERVAL_MS = 24 * 3_600_000

export interface ShippingOptions {
  readonly db: Db
  readonly clickHouse: ClickHouse
  /** Creates the tables, or throws if ClickHouse cannot be used. */
  prepare(): Promise<void>
  readonly warn?: ((message: string) => void) | undefined
}

export interface Shipping {
  /** Why nothing can be sent now. */
  readonly problem: Error | undefined
  /** Begins to look for what servers have left. */
  start(): void
  /** Begins to send what waits. */
  wake(): void
  /** Resolves when something was sent, or after a while. */
  step(): Promise<void>
  close(): Promise<void>
}

/** Sends what waits in the outbox to ClickHouse. Of all servers, one does so at a time. */
export function createShipping({
  db,
  clickHouse,
  prepare,
  warn = () => {},
}: ShippingOptions): Shipping {
  const closing = new AbortController()
  let running: Promise<void> | undefined
  let stepped = Promise.withResolvers<void>()
  let problem: Error | undefined
  let movesAppliedAt = Date.now()
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (running || closing.signal.aborted) return
    running = run().finally(() => {
      running = undefined
    })
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted && (await attempt()));
  }

  /** Returns whether there may be more. */
  async function attempt(): Promise<boolean> {
    try {
      if (!(await hasWork(db)) && !areMovesDue()) return false
      await prepare()
      const isOurs = await withLock(db, ship)
      if (problem) warn('ClickHouse works again, and events that waited are sent to it.')
      problem = undefined
      stepped.resolve()
      stepped = Promise.withResolvers()
      await pause(isOurs ? GATHER_MS : RETRY_MS)
    } catch (error) {
      if (closing.signal.aborted) return false
      if (!problem) warn(`Events wait for ClickHouse: ${(error as Error).message}`)
      problem = error as Error
      await pause(RETRY_MS * 4)
    }
    return true
  }

  const areMovesDue = (): boolean => Date.now() - movesAppliedAt > MOVES_INTERVAL_MS

  async function ship(): Promise<void> {
    const isQuiet = areMovesDue()
    const moves = await listMoves(db, { isQuiet }) // before the events that they concern are sent
    await shipAll(db, clickHouse, closing.signal)
    await applyMoves(db, clickHouse, moves)
    if (isQuiet) movesAppliedAt = Date.now()
  }

  const pause = (ms: number): Promise<void> =>
    wait(ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})

  return {
    get problem() {
      return problem
    },
    start() {
      timer ??= setInterval(wake, POLL_MS).unref()
    },
    wake,
    step: () => Promise.race([stepped.promise, pause(POLL_MS / 20)]),
    async close() {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}

/**
 * Sends everything that waits now, but not what comes in meanwhile, which may be faster. Changes are listed first: the
 * events that were stored before them are sent before they are applied. Persons go before the events of the same
 * transaction, which would count nobody without them. Throws between two batches if `signal` is aborted.
 */
export async function shipAll(db: Db, clickHouse: ClickHouse, signal?: AbortSignal): Promise<void> {
  const changes = await listChanges(db)
  const last = await findLastEvents(db)
  for (let sent: number | undefined = 0; sent !== undefined && sent < last; ) {
    signal?.throwIfAborted()
    sent = await shipEvents(db, clickHouse, () => shipRows(db, clickHouse, signal))
  }
  await shipRows(db, clickHouse, signal)
  await applyChanges(db, clickHouse, changes)
}

/** Tells whether anything waits for ClickHouse. */
export async function hasWork(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has_work: boolean }>`
    select exists (select from outbox_events) or exists (select from outbox_changes)
      or exists (select from outbox_rows) and exists (select from event_store where persons_up_to is null) as has_work`.execute(
    db,
  )
  return rows[0]?.has_work ?? false
}

const OUTBOX = sql`hashtext('hedgerow outbox')`

/** Waits until no server ships, and keeps others from it until the transaction ends. */
export const lockOutbox = (tx: Tx) => sql`select pg_advisory_xact_lock(${OUTBOX})`.execute(tx)

/** Runs `work` unless another server ships. */
const withLock = (db: Db, work: () => Promise<void>): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if (!(await tryLock(tx, OUTBOX))) return false
    await work()
    return true
  })

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import { tryLock } from './locks.ts'

/** Fewer new rows change no plan: autovacuum sees to them within minutes. */
const MIN_ROWS = 10_000
/** A vacuum begins when nothing was written for this time. */
const QUIET_MS = 2000
/** During a long import it begins at these intervals, since it reads a sample of the tables. */
const INTERVAL_MS = 10_000
/** After many rows, any number of rows within this time counts as the rest of a slow import. */
const REST_MS = 60_000

/** A table is vacuumed if this many of its pages, and this part of them, are new. */
const MIN_PAGES = 8
const NEW_PART = 0.05
/** While more rows are written, dead rows are worth a vacuum, which reads whole indexes, from this part of the pages on. */
const BUSY_PART = 0.25
/** A table is analyzed if this part of its rows is new, as autovacuum does. */
const ANALYZED_PART = 0.1

/** The tables that queries read besides the partitions of `events` and `facts`. */
const TABLES = ['event_keys', 'persons', 'person_ids', 'group_profiles']
const PARENTS = ['events', 'facts']

export interface Vacuum {
  /** Counts rows that were inserted, changed or deleted. */
  onWrite(rows: number): void
  close(): Promise<void>
}

/**
 * Vacuums and analyzes the tables in the background after many rows were written. Until then, queries take twice as long:
 * index-only scans have to look at new pages, and plans are made for the old size. Autovacuum would begin after up to a
 * minute, and never analyzes `events` and `facts` as a whole.
 */
export function createVacuum(db: Db): Vacuum {
  const closing = new AbortController()
  let rows = 0
  let lastWrite = 0
  let manyUntil = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined

  const isQuiet = () => performance.now() - lastWrite >= QUIET_MS

  /** Ends with a vacuum after the last write, however few rows were written since the one before. */
  async function run(): Promise<void> {
    let isBusy = true
    while (isBusy) {
      for (let waited = 0; !isQuiet(); waited += QUIET_MS) {
        if (waited >= INTERVAL_MS && rows >= MIN_ROWS) break
        await wait(QUIET_MS, undefined, { signal: closing.signal, ref: false })
      }
      isBusy = !isQuiet()
      if (rows >= MIN_ROWS) manyUntil = performance.now() + REST_MS
      rows = 0
      await vacuumEvents(db, { signal: closing.signal, isBusy })
    }
  }

  function startIfDue(): void {
    const minRows = performance.now() < manyUntil ? 1 : MIN_ROWS
    if (rows < minRows || running || closing.signal.aborted) return
    running = run()
      .catch(() => {}) // autovacuum does it later
      .finally(() => {
        running = undefined
        startIfDue()
      })
  }

  return {
    onWrite(count) {
      rows += count
      lastWrite = performance.now()
      startIfDue()
    },
    async close() {
      closing.abort()
      await running
    },
  }
}

interface VacuumOptions {
  readonly signal?: AbortSignal
  /** Whether more rows are being written, so that only tables with many new rows are worth it. */
  readonly isBusy?: boolean
}

/** Vacuums what needs it, unless another server does. Nobody waits for it: rows can be read and written meanwhile. */
export async function vacuumEvents(
  db: Db,
  { signal = new AbortController().signal, isBusy = false }: VacuumOptions = {},
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await tryLock(tx, sql`hashtext('hedgerow vacuum')`))) return
    for (const { name, isAnalyzed } of await listTables(db, isBusy)) {
      const analyze = isAnalyzed ? '' : 'analyze, '
      await execute(db, `vacuum (${analyze}skip_locked, truncate false) ${name}`, signal)
    }
    for (const parent of await listParents(db)) await execute(db, `analyze ${parent}`, signal)
  })
}

interface VacuumedTable {
  readonly name: string
  /** Whether its statistics are recent enough. */
  readonly isAnalyzed: boolean
}

/**
 * Lists the tables with many new or dead rows that this user may vacuum; for others PostgreSQL would only log a warning.
 * One dead row hides its whole page from index-only scans, and `relallvisible` does not count the pages that were
 * hidden since the last vacuum: merges of persons in 2% of the facts had hidden five of six pages. So dead rows are
 * compared with pages. Facts come first, because most queries read nothing else.
 */
async function listTables(db: Db, isBusy: boolean): Promise<VacuumedTable[]> {
  const part = sql.lit(NEW_PART)
  const minDead = sql`greatest(${sql.lit(MIN_PAGES)}, pages * ${sql.lit(isBusy ? BUSY_PART : NEW_PART)})`
  const minModified = sql`greatest(${sql.lit(MIN_ROWS)}, n_live_tup * ${sql.lit(ANALYZED_PART)})`
  const { rows } = await sql<VacuumedTable>`
    with tables as (
      select oid, relallvisible, pg_relation_size(oid) / current_setting('block_size')::int as pages
      from pg_class
      where relkind = 'r' and pg_has_role(relowner, 'usage') and (
        oid = any(${TABLES}::regclass[])
        or oid in (select inhrelid from pg_inherits where inhparent = any(${PARENTS}::regclass[]))
      )
    )
    select oid::regclass::text as name,
      last_analyze is not null and n_mod_since_analyze < ${minModified} as "isAnalyzed"
    from tables left join pg_stat_user_tables on relid = oid
    where pages - relallvisible > greatest(${sql.lit(MIN_PAGES)}, pages * ${part})
      or n_dead_tup > ${minDead}
    order by oid in (select inhrelid from pg_inherits where inhparent = 'facts'::regclass) desc, pages desc`.execute(
    db,
  )
  return rows
}

/** Lists the partitioned tables whose statistics are older than a fifth of their rows. */
async function listParents(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select parent.oid::regclass::text as name
    from pg_class parent
    join pg_inherits on inhparent = parent.oid
    join pg_class part on part.oid = inhrelid
    where parent.oid = any(${PARENTS}::regclass[]) and pg_has_role(parent.relowner, 'usage')
    group by parent.oid, parent.reltuples
    having sum(greatest(part.reltuples, 0)) > greatest(${sql.lit(MIN_ROWS)}, parent.reltuples * 1.2)`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Runs a statement, and cancels it if the signal aborts. */
async function execute(db: Db, statement: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)
    const cancel = () =>
      void sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where pid = ${rows[0]?.pid} and state = 'active' and query = ${statement}`
        .execute(db)
        .catch(() => {})
    signal.addEventListener('abort', cancel)
    try {
      await sql.raw(statement).execute(connection)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  })
}

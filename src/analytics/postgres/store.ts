import { sql } from 'kysely'
import { untilItSucceeds } from '#server/concurrency.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { Db } from '#server/db/schema.ts'
import { createChanges } from '../derive/changes.ts'
import type { DerivedTables } from '../derive/derived-tables.ts'
import { openSnapshot } from '../derive/snapshot.ts'
import type { EventStore, StoreOptions } from '../event-store.ts'
import { createMaterializedProperties } from '../materialized-properties.ts'
import { createRunaways } from '../runaways.ts'
import { openFirst, wrapMethods } from '../wrap-methods.ts'
import type { Arrival } from './arrivals.ts'
import { catchUpPersons, rebuildPersons } from './catch-up-persons.ts'
import { changeProject } from './change-project.ts'
import { toDerivedTables } from './derived-tables.ts'
import { createIntake } from './intake.ts'
import { listEvents } from './list-events.ts'
import { materialize } from './materialized-columns.ts'
import { rebuildFacts } from './rebuild-facts.ts'
import { runEventQuery } from './run-query.ts'
import { createEventTables, createPartition, findCollation, toPartitionMonth } from './tables.ts'
import { TABLES_SINK } from './take-events.ts'
import { createVacuum, vacuumEvents } from './vacuum.ts'
import { incrementVersions, readVersion } from './versions.ts'

/** Stores events in separate tables of the database, created at first use. */
export function createPostgresStore(
  db: Db,
  { onProgress = () => {}, runaways = createRunaways() }: Partial<StoreOptions> = {},
): EventStore {
  let hasCaughtUp = false
  const open = untilItSucceeds(openTables)
  const months = new Set<string>()
  const closing = new AbortController()
  const vacuum = createVacuum(db)
  const intake = createIntake({
    db,
    sink: TABLES_SINK,
    async prepare(arrivals) {
      await open()
      await createPartitions(arrivals)
    },
    onTake: (tx, { projectIds }) => incrementVersions(tx, projectIds),
    onTaken: vacuum.onWrite,
  })
  // the database knows its columns: those of an earlier version are fewer
  const materialized = createMaterializedProperties([], async (keys, adopt) => {
    await materialize(db, keys, closing.signal)
    adopt()
  })

  const methods = {
    list: (projectId, filter) => listEvents(db, projectId, filter),
    async count(projectId) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from events where project_id = ${projectId}`.execute(db)
      return rows[0]?.count ?? 0
    },
    async query(projectId, query) {
      materialized.note(query.properties.map(sanitizeText))
      if (query.effort !== undefined) runaways.requireFew()
      return runEventQuery({ db, collation: await open(), runaways }, projectId, query)
    },
    version: (projectId) => readVersion(db, projectId),
    ...createChanges(changePast),
    async deleteWarningsBefore(time) {
      await sql`delete from identity_warnings where created_at < ${time}`.execute(db)
    },
    async rebuildPersons(onProgress) {
      if (hasCaughtUp) return // an interrupted rebuild has just ended
      await rebuildPersons(db, onProgress)
      vacuum.onWrite(Number.POSITIVE_INFINITY)
    },
    async rebuildDerived(onProgress) {
      await rebuildFacts(db)
      await rebuildPersons(db, onProgress)
      await vacuumEvents(db, { signal: closing.signal })
    },
    async openSnapshot({ tx, folder }) {
      if (!tx || folder === undefined)
        throw new Error('A snapshot needs a transaction and a folder.')
      const { openSnapshotTables } = await import('./snapshot.ts') // servers do not need it
      return openSnapshot(await openSnapshotTables(tx, folder))
    },
    async requireReady() {
      await sql`select schema_version from event_store`.execute(db)
    },
    requireIntact: async () => {}, // PostgreSQL checks its own pages
  } satisfies Partial<EventStore>

  return {
    ...intake.methods,
    ...wrapMethods(methods, openFirst(open)),
    async readSize() {
      const { rows } = await sql<{ bytes: number }>`
        select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r'
          and relname ~ '^(events|facts|event_keys)(_|$)'`.execute(db)
      return Number(rows[0]?.bytes ?? 0)
    },
    async close() {
      closing.abort()
      await materialized.close()
      await intake.close()
      await vacuum.close()
    },
  }

  async function changePast<T extends boolean | number>(
    projectId: number,
    work: (tables: DerivedTables) => Promise<T>,
  ): Promise<T> {
    const changed = await changeProject(db, projectId, (tx) => work(toDerivedTables(tx)))
    vacuum.onWrite(Number(changed))
    return changed
  }

  /** Resolves with the Unicode collation. */
  async function openTables(): Promise<string> {
    await createEventTables(db)
    hasCaughtUp = await catchUpPersons(db, onProgress)
    vacuum.onWrite(Number.POSITIVE_INFINITY) // it may have been upgraded, or stopped after an import
    return findCollation(db)
  }

  async function createPartitions(arrivals: readonly Arrival[]): Promise<void> {
    for (const month of listMonths(arrivals)) {
      if (months.has(month)) continue
      await createPartition(db, month)
      months.add(month)
    }
  }
}

const DAY_MS = 86_400_000

/** Looks at each day once, because a batch of thousands of events has few. */
function listMonths(arrivals: readonly Arrival[]): Set<string> {
  const days = new Set(arrivals.map(({ timestamp }) => Math.floor(timestamp / DAY_MS)))
  const months = [...days].map((day) => toPartitionMonth(day * DAY_MS))
  return new Set(months.filter((month) => month !== undefined))
}

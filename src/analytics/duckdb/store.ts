import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readFileSizes } from '#server/db/data-folder.ts'
import type { Db } from '#server/db/schema.ts'
import { missingEvents } from '../damaged-events.ts'
import { createChanges } from '../derive/changes.ts'
import type { DerivedTables } from '../derive/derived-tables.ts'
import { emptySnapshot } from '../derive/snapshot.ts'
import type { EventStore, StoreOptions } from '../event-store.ts'
import type { Sql, StatementRow } from '../event-table.ts'
import { createGroupCommit } from '../group-commit.ts'
import { ensureInstallation, rememberEvents } from '../installation.ts'
import { DEFAULT_TIMEOUT_MS } from '../query-errors.ts'
import { rebuildDerived, rebuildPersons } from './catch-up-persons.ts'
import { toCountStatements } from './count-appended.ts'
import { toDerivedTables } from './derived-tables.ts'
import { readEverything, reopenAfterFaults } from './faults.ts'
import { EVENTS_FILE, openEventsFile } from './file.ts'
import * as reading from './list-events.ts'
import { withLessMemory } from './memory-limit.ts'
import { closeStore, type OpenStore, toOpenStore } from './open-store.ts'
import { createPlanner } from './planner/planner.ts'
import { runEventQuery } from './run-query.ts'
import { inTransaction } from './transaction.ts'

/**
 * Appends do not check for duplicates, so they cost the same for any number of stored events. New events are
 * deduplicated before they are read, and in quiet moments.
 */
export function createDuckDbStore(folder: string, db: Db, options: StoreOptions): EventStore {
  const { onProgress, runaways } = options
  const planner = createPlanner()
  const path = join(folder, EVENTS_FILE)
  let opening: Promise<OpenStore> | undefined
  let changing: Promise<unknown> = Promise.resolve()
  const group = createGroupCommit(async (batch) => {
    const { log, clock } = await open()
    const written = await log.write(batch)
    clock.schedule()
    return written
  })
  const exists = () => opening !== undefined || existsSync(path)
  const getInstallation = () => ensureInstallation(db, async () => existsSync(path))

  const store: EventStore = {
    append: group.append,
    appendPacked: group.appendPacked,
    async countNew(projectId, appended) {
      let count = 0
      for (const toStatement of toCountStatements(appended)) {
        count += (await read(projectId, toStatement))[0]?.count as number
      }
      return count
    },
    async list(projectId, filter) {
      const rows = await read(projectId, (where) => reading.toListStatement(where, filter))
      if (rows.length === 0) return []
      const { file } = await open()
      const parts = reading.toPartsStatement(rows.map(({ seq }) => seq as number))
      return reading.toStoredEvents(rows, await file.readers.run(parts, DEFAULT_TIMEOUT_MS))
    },
    count: async (projectId) =>
      (await read(projectId, reading.toCountStatement))[0]?.count as number,
    async query(projectId, query) {
      const { clock, ...store } = await dedupe()
      const deps = { ...store, dedupedUpTo: clock.dedupedUpTo(), planner, runaways }
      return runEventQuery(deps, projectId, query)
    },
    async version(projectId) {
      // reading an empty store should not load DuckDB, which takes 45 MB
      if (!exists()) return '0.0'
      const store = await open()
      return `${await store.log.findNewest(projectId)}.${store.deletions}`
    },
    ...createChanges(changePast),
    async deleteWarningsBefore(time) {
      if (!exists()) return
      const { changes } = (await open()).file
      const statement = 'delete from identity_warnings where created_at < $time::timestamptz'
      await runExclusively(() => changes.run(statement, { time }))
    },
    async rebuildPersons(onProgress) {
      const store = await dedupe()
      if (store.file.caughtUp) return // an interrupted rebuild has just ended
      const { changes, memory } = store.file
      await runExclusively(() => memory.whole(() => rebuildPersons(changes, onProgress)))
      store.deletions++
    },
    async rebuildDerived(onProgress) {
      const store = await dedupe()
      const { changes, memory } = store.file
      await runExclusively(() => memory.whole(() => rebuildDerived(changes, onProgress)))
      store.deletions++
    },
    async openSnapshot({ lastProjectId }) {
      if (!exists()) return emptySnapshot()
      const { file } = await dedupe()
      return runExclusively(() => file.openSnapshot(lastProjectId)) // not in the middle of a rebuild
    },
    readSize: () => readFileSizes([path, `${path}.wal`]),
    async requireReady() {
      if (!exists() && !(await getInstallation()).has_events) return // an empty store is not opened for this
      const { file } = await open()
      if (!existsSync(path)) throw missingEvents(path)
      await file.readers.run(sql`select schema_version from meta`, DEFAULT_TIMEOUT_MS)
    },
    async requireIntact(timeoutMs) {
      if (!existsSync(path) && !(await getInstallation()).has_events) return
      const { file } = await open()
      await withLessMemory(file.changes, () => readEverything(file.readers, path, timeoutMs))
    },
    async close() {
      await planner.close()
      await group.close()
      await closeStore(await opening, changing)
    },
  }
  return reopenAfterFaults({ path, current: () => opening, reopen, probe }, store)

  function open(): Promise<OpenStore> {
    opening ??= openStore()
    return opening
  }

  async function openStore(): Promise<OpenStore> {
    try {
      const installation = await getInstallation()
      const file = await openEventsFile(folder, installation, onProgress, runaways)
      await rememberEvents(db, installation).catch(async (error) => {
        await file.close() // or no later attempt could open it
        throw error
      })
      return toOpenStore(file, runExclusively)
    } catch (error) {
      opening = undefined // another process may release the file, or the operator may restore it
      throw error
    }
  }

  /** Opens the file again. Whatever runs on it ends first. */
  function reopen(): void {
    const broken = opening
    opening = Promise.resolve(broken)
      .then((store) => closeStore(store, changing))
      .catch(() => {}) // it is broken
      .then(openStore)
    opening.catch(() => {}) // the next caller gets the error
  }

  async function probe(): Promise<void> {
    const { changes } = (await open()).file
    await runExclusively(async () => {
      await changes.run('create or replace table probe as select 1')
      await changes.run('drop table probe')
    })
  }

  /** Resolves when everything that was on disk at the call is deduplicated. */
  async function dedupe(): Promise<OpenStore> {
    const store = await open()
    await store.clock.dedupe()
    return store
  }

  async function read(
    projectId: number,
    toStatement: (where: Sql) => Sql,
  ): Promise<StatementRow[]> {
    const { file, clock } = await dedupe()
    const where = sql`project_id = ${sql.lit(projectId)} and seq <= ${sql.lit(clock.dedupedUpTo())}`
    return file.readers.run(toStatement(where), DEFAULT_TIMEOUT_MS)
  }

  /** Runs a change in a transaction. If it changed anything, query results become stale. */
  async function changePast<T extends boolean | number>(
    _projectId: number,
    work: (tables: DerivedTables) => Promise<T>,
  ): Promise<T> {
    const store = await dedupe()
    const { changes, memory } = store.file
    const change = () =>
      inTransaction(changes, async () => {
        const changed = await work(toDerivedTables(changes, store.clock.dedupedUpTo()))
        if (changed) await changes.run('update meta set removals = removals + 1')
        return changed
      })
    const changed = await runExclusively(() => memory.whole(change))
    if (changed) store.deletions++
    return changed
  }

  /** Serializes changes, because two deletions of one event conflict in DuckDB. */
  function runExclusively<T>(change: () => Promise<T>): Promise<T> {
    const turn = changing.then(change)
    changing = turn.catch(() => {})
    return turn
  }
}

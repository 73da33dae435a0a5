import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { EventStore } from '../event-store.ts'
import type { Row, Sql } from '../event-table.ts'
import { createGroupCommit } from '../group-commit.ts'
import { type NewRow, toStoredText } from '../event-row.ts'
import { USUAL_TIMEOUT_MS } from '../query-errors.ts'
import { appendRows } from './append.ts'
import { rebuildFacts } from './facts.ts'
import { EVENTS_FILE, type EventsFile, openEventsFile } from './file.ts'
import { createHotKeys, type HotKeys } from './materialized-properties.ts'
import { toListStatement, toPartsStatement, toStoredEvents } from './list-events.ts'
import { settleDuplicates } from './dedupe.ts'
import { tableOf } from './event-table.ts'
import { inTransaction } from './transaction.ts'

/** Duplicates are looked for when nothing has come for so long, or so much has that the next reader would notice. */
const QUIET_MS = 1000
const MOST_UNSETTLED = 100_000

/** The version of a store that is not there yet: the same as of one without events. */
const EMPTY = '0.0'

interface OpenStore {
  readonly file: EventsFile
  readonly hot: HotKeys
  /** The highest number that was given, and the highest that is on disk. */
  given: number
  committed: number
  /** Readers look no further: up to here there are no duplicates. */
  settled: number
  removals: number
  /** The highest number that each project has, of those that were asked for or written to. */
  readonly newest: Map<number, number>
}

/**
 * Appends are blind, so that they cost the same however much there is. What they brought is searched for duplicates
 * before anybody reads it, and in quiet moments.
 */
export function createDuckDbStore(folder: string): EventStore {
  let opening: Promise<OpenStore> | undefined
  let changing: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const group = createGroupCommit(write)

  return {
    append: group.append,
    async list(projectId, filter) {
      const rows = await read(projectId, (where) => toListStatement(where, filter))
      if (rows.length === 0) return []
      const { file } = await open()
      const parts = toPartsStatement(rows.map(({ seq }) => seq as number))
      return toStoredEvents(rows, await file.readers.ask(parts, USUAL_TIMEOUT_MS))
    },
    count: async (projectId) => {
      const toCount = (where: Sql) => sql`select count(*) as count from events where ${where}`
      return (await read(projectId, toCount))[0]?.count as number
    },
    async query(projectId, { properties, toSql, timeoutMs = USUAL_TIMEOUT_MS }) {
      const { file, hot, settled } = await settle()
      const keys = properties.map(sanitizeText)
      hot.ask(keys)
      const table = tableOf(projectId, settled, hot.keys(), keys)
      return file.readers.ask(toSql(table), timeoutMs)
    },
    async version(projectId) {
      // where no event ever came, whoever looks at a dashboard need not cause the 45 MB of DuckDB
      if (!opening && !existsSync(join(folder, EVENTS_FILE))) return EMPTY
      const store = await open()
      return `${await newestOf(store, projectId)}.${store.removals}`
    },
    deletePerson: (projectId, distinctId) =>
      remove(projectId, 'distinct_id = $value', toStoredText(distinctId)),
    deleteBefore: (projectId, time) => remove(projectId, 'timestamp < $value::timestamptz', time),
    deleteProject: (projectId) => remove(projectId, '$value = $value', ''),
    async close() {
      clearTimeout(timer)
      await group.close()
      clearTimeout(timer)
      await changing
      const store = await opening
      await store?.hot.close()
      await store?.file.close()
    },
  }

  function open(): Promise<OpenStore> {
    opening ??= openEventsFile(folder).then(toOpenStore, (error) => {
      opening = undefined // whoever holds the file may let go of it
      throw error
    })
    return opening
  }

  function toOpenStore(file: EventsFile): OpenStore {
    const store: OpenStore = {
      file,
      hot: createHotKeys(file.hot, (keys, adopt) =>
        changeAlone(async () => {
          await rebuildFacts(file.changes, keys, store.settled)
          adopt()
        }),
      ),
      given: file.lastSeq,
      committed: file.lastSeq,
      settled: file.settledUpTo,
      removals: file.removals,
      newest: new Map(),
    }
    return store
  }

  async function write(rows: readonly NewRow[]): Promise<void> {
    const store = await open()
    const first = store.given + 1
    store.given += rows.length
    await appendRows(store.file.appends, rows, first)
    store.committed = store.given
    for (const { projectId } of rows) store.newest.set(projectId, store.given)
    settleSoon(store)
  }

  function settleSoon(store: OpenStore): void {
    clearTimeout(timer)
    const much = store.committed - store.settled >= MOST_UNSETTLED
    // whoever reads next tries again, and is told if it fails again
    timer = setTimeout(() => void settle().catch(() => {}), much ? 0 : QUIET_MS).unref()
  }

  /** Resolves when all that was on disk before is free of duplicates. */
  async function settle(): Promise<OpenStore> {
    const store = await open()
    const wanted = store.committed
    if (store.settled < wanted) await changeAlone(() => settleUpTo(store, wanted))
    return store
  }

  async function settleUpTo(store: OpenStore, wanted: number): Promise<void> {
    if (store.settled >= wanted) return // whoever changed before did it
    const upTo = store.committed
    await settleDuplicates(store.file.changes, store.hot.keys(), store.settled, upTo)
    store.settled = upTo
  }

  async function newestOf(store: OpenStore, projectId: number): Promise<number> {
    const known = store.newest.get(projectId)
    if (known !== undefined) return known
    const [row] = await store.file.readers.ask(
      sql`select coalesce(max(seq), 0) as newest from events where project_id = ${sql.lit(projectId)}`,
      USUAL_TIMEOUT_MS,
    )
    const newest = row?.newest as number
    if (!store.newest.has(projectId)) store.newest.set(projectId, newest)
    return store.newest.get(projectId) as number
  }

  async function read(projectId: number, toStatement: (where: Sql) => Sql): Promise<Row[]> {
    const { file, settled } = await settle()
    const where = sql`project_id = ${sql.lit(projectId)} and seq <= ${sql.lit(settled)}`
    return file.readers.ask(toStatement(where), USUAL_TIMEOUT_MS)
  }

  async function remove(projectId: number, condition: string, value: string): Promise<number> {
    const store = await settle()
    const { changes } = store.file
    return changeAlone(async () => {
      const { settled } = store
      let removed = 0
      await inTransaction(changes, async () => {
        const which = `project_id = $projectId::bigint and seq <= $settled::bigint and ${condition}`
        // by what goes, which is little: by what stays, all numbers there are would have to be in memory
        for (const rows of [
          `whole_properties where seq in (select seq from events where ${which})`,
          `facts where ${which}`,
          `events where ${which}`,
        ]) {
          const values = { projectId, settled, value }
          removed = (await changes.run(`delete from ${rows}`, values)).rowsChanged
        }
        if (removed > 0) await changes.run('update meta set removals = removals + 1')
      })
      if (removed > 0) store.removals++
      return removed
    })
  }

  /** Two deletions of the same event at the same time would be a conflict to DuckDB. */
  function changeAlone<T>(change: () => Promise<T>): Promise<T> {
    const turn = changing.then(change)
    changing = turn.catch(() => {})
    return turn
  }
}

import type { DuckDBValue } from '@duckdb/node-api'
import type { EventFilter, EventStore, StoredEvent } from '../event-store.ts'
import { createGroupCommit } from '../group-commit.ts'
import { type NewRow, toStoredText } from '../storable.ts'
import { appendRows } from './append.ts'
import { type EventsFile, openEventsFile } from './file.ts'
import { settleDuplicates } from './settle.ts'

/** Duplicates are looked for when nothing has come for so long, or so much has that the next reader would notice. */
const QUIET_MS = 1000
const MOST_UNSETTLED = 100_000

type Values = Record<string, DuckDBValue>

interface OpenStore {
  readonly file: EventsFile
  /** The highest number that was given, and the highest that is on disk. */
  given: number
  committed: number
  /** Readers look no further: up to here there are no duplicates. */
  settled: number
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
    list: async (projectId, filter) => {
      const { sql, values } = toListQuery(filter)
      return (await read(projectId, sql, values)).map(toStoredEvent)
    },
    count: async (projectId) => {
      const [row] = await read(projectId, `select count(*)::double from events where ${VISIBLE}`)
      return row?.[0] as number
    },
    deletePerson: (projectId, distinctId) =>
      remove(projectId, 'distinct_id = $distinctId', { distinctId: toStoredText(distinctId) }),
    deleteBefore: (projectId, time) =>
      remove(projectId, 'timestamp < $time::timestamptz', { time }),
    async close() {
      clearTimeout(timer)
      await group.close()
      clearTimeout(timer)
      await changing
      const store = await opening
      store?.file.close()
    },
  }

  function open(): Promise<OpenStore> {
    opening ??= openEventsFile(folder).then(
      (file) => ({ file, given: file.lastSeq, committed: file.lastSeq, settled: file.settledUpTo }),
      (error) => {
        opening = undefined // whoever holds the file may let go of it
        throw error
      },
    )
    return opening
  }

  async function write(rows: readonly NewRow[]): Promise<void> {
    const store = await open()
    const first = store.given + 1
    store.given += rows.length
    await appendRows(store.file.appends, rows, first)
    store.committed = store.given
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
    await settleDuplicates(store.file.changes, store.settled, upTo)
    store.settled = upTo
  }

  async function read(projectId: number, sql: string, values: Values = {}) {
    const { file, settled } = await settle()
    const reader = await file.reads.runAndReadAll(sql, { projectId, settled, ...values })
    return reader.getRows()
  }

  async function remove(projectId: number, condition: string, values: Values): Promise<number> {
    const { file, settled } = await settle()
    const sql = `delete from events where ${VISIBLE} and ${condition}`
    return changeAlone(async () => {
      const { rowsChanged } = await file.changes.run(sql, { projectId, settled, ...values })
      return rowsChanged
    })
  }

  /** Two deletions of the same event at the same time would be a conflict to DuckDB. */
  function changeAlone<T>(change: () => Promise<T>): Promise<T> {
    const turn = changing.then(change)
    changing = turn.catch(() => {})
    return turn
  }
}

const VISIBLE = 'project_id = $projectId::bigint and seq <= $settled::bigint'

function toListQuery({ event, distinctId, after, before, limit, offset }: EventFilter) {
  const conditions = [VISIBLE]
  const values: Values = { limit, offset }
  const add = (condition: string, name: string, value: string | undefined) => {
    if (value === undefined) return
    conditions.push(condition)
    values[name] = toStoredText(value)
  }
  add('event = $event', 'event', event)
  add('distinct_id = $distinctId', 'distinctId', distinctId)
  add('timestamp > $after::timestamptz', 'after', after)
  add('timestamp < $before::timestamptz', 'before', before)
  const sql = `select uuid::varchar, event, distinct_id, epoch_ms(timestamp)::double, properties, epoch_ms(created_at)::double
    from events where ${conditions.join(' and ')}
    order by timestamp desc, uuid desc limit $limit::bigint offset $offset::bigint`
  return { sql, values }
}

function toStoredEvent(row: readonly DuckDBValue[]): StoredEvent {
  const [uuid, event, distinct_id, timestamp, properties, created_at] = row as [
    string,
    string,
    string,
    number,
    string,
    number,
  ]
  return {
    uuid,
    event,
    distinct_id,
    timestamp: new Date(timestamp).toISOString(),
    properties,
    created_at: new Date(created_at).toISOString(),
  }
}

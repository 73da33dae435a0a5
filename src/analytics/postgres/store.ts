import { sql } from 'kysely'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { Db } from '#server/db/schema.ts'
import { type EventBatch, MAX_CHUNK_ROWS } from '../event-batch.ts'
import { toStoredText } from '../event-row.ts'
import type {
  EventFilter,
  EventKey,
  EventStore,
  StoredEvent,
  StoreOptions,
} from '../event-store.ts'
import type { Sql } from '../event-table.ts'
import { createGroupCommit, type Written } from '../group-commit.ts'
import { createMaterializedProperties, DEFAULT_KEYS } from '../materialized-properties.ts'
import { createRunaways } from '../runaways.ts'
import { type Arrival, readArrivals } from './arrivals.ts'
import { catchUpPersons, rebuildPersons } from './catch-up-persons.ts'
import { deleteBefore, deleteByProperty, deletePerson, deleteProject } from './delete-events.ts'
import { editGroup } from './edit-group.ts'
import { editPerson } from './edit-person.ts'
import { materialize } from './hot-properties.ts'
import { insertEvents } from './insert-events.ts'
import { isTaken } from './insert-keys.ts'
import { rebuildFacts } from './rebuild-facts.ts'
import { runEventQuery } from './run-query.ts'
import { createEventTables, createPartition, findCollation, toPartitionMonth } from './tables.ts'
import { createVacuum, vacuumEvents } from './vacuum.ts'
import { incrementVersions } from './versions.ts'

/** Stores events in separate tables of the database, created at first use. */
export function createPostgresStore(
  db: Db,
  { onProgress = () => {}, runaways = createRunaways() }: Partial<StoreOptions> = {},
): EventStore {
  let hasCaughtUp = false
  let opening: Promise<string> | undefined
  const months = new Set<string>()
  const group = createGroupCommit(write, { parallel: 2, maxRows: MAX_CHUNK_ROWS })
  let ordered: Promise<void> = Promise.resolve()
  const closing = new AbortController()
  const vacuum = createVacuum(db)
  const materialized = createMaterializedProperties(DEFAULT_KEYS, async (keys, adopt) => {
    await materialize(db, keys, closing.signal)
    adopt()
  })

  return {
    append: group.append,
    appendPacked: group.appendPacked,
    countNew: async (_projectId, appended) => appended.reduce((sum, { count }) => sum + count, 0),
    async list(projectId, filter) {
      await open()
      return listEvents(db, projectId, filter)
    },
    async count(projectId) {
      await open()
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from events where project_id = ${projectId}`.execute(db)
      return rows[0]?.count ?? 0
    },
    async query(projectId, question) {
      const alphabet = await open()
      materialized.ask(question.properties.map(sanitizeText))
      if (question.effort !== undefined) runaways.requireFew()
      return runEventQuery({ db, alphabet, runaways }, projectId, question)
    },
    async version(projectId) {
      await open()
      const { rows } = await sql<{ version: number }>`
        select version from event_versions where project_id = ${projectId}`.execute(db)
      return String(rows[0]?.version ?? 0)
    },
    async editPerson(projectId, edit) {
      await open()
      return editPerson(db, projectId, edit)
    },
    async editGroup(projectId, edit) {
      await open()
      return editGroup(db, projectId, edit)
    },
    async deletePerson(projectId, distinctId) {
      await open()
      return countDeleted(await deletePerson(db, projectId, distinctId))
    },
    async deleteBefore(projectId, time) {
      await open()
      return countDeleted(await deleteBefore(db, projectId, time))
    },
    async deleteWarningsBefore(time) {
      await open()
      await sql`delete from identity_warnings where created_at < ${time}`.execute(db)
    },
    async deleteProject(projectId) {
      await open()
      return countDeleted(await deleteProject(db, projectId))
    },
    async deleteByProperty(projectId, match) {
      await open()
      return countDeleted(await deleteByProperty(db, projectId, match))
    },
    async rebuildPersons(onProgress) {
      await open()
      if (hasCaughtUp) return // an interrupted rebuild has just ended
      await rebuildPersons(db, onProgress)
      vacuum.onWrite(Number.POSITIVE_INFINITY)
    },
    async rebuildDerived(onProgress) {
      await open()
      await rebuildFacts(db)
      await rebuildPersons(db, onProgress)
      await vacuumEvents(db, closing.signal)
    },
    async requireReady() {
      await open()
      await sql`select schema_version from event_store`.execute(db)
    },
    async requireIntact() {
      await open() // PostgreSQL checks its own pages
    },
    async close() {
      closing.abort()
      await materialized.close()
      await group.close()
      await vacuum.close()
    },
  }

  function countDeleted(rows: number): number {
    vacuum.onWrite(rows)
    return rows
  }

  /** Resolves with the collation that knows all alphabets. */
  function open(): Promise<string> {
    opening ??= openTables().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  async function openTables(): Promise<string> {
    await createEventTables(db)
    hasCaughtUp = await catchUpPersons(db, onProgress)
    vacuum.onWrite(Number.POSITIVE_INFINITY) // it may have been upgraded, or stopped after an import
    return findCollation(db)
  }

  /** Begins to insert a batch when the events of the one before have their order. */
  async function write(batch: EventBatch): Promise<Written> {
    const before = ordered
    const { promise, resolve: onOrdered } = Promise.withResolvers<void>()
    ordered = promise
    try {
      return await writeAfter(before, batch, onOrdered)
    } finally {
      onOrdered()
    }
  }

  async function writeAfter(
    before: Promise<void>,
    batch: EventBatch,
    onOrdered: () => void,
  ): Promise<Written> {
    await open()
    const arrivals = await readArrivals(batch)
    for (const month of monthsOf(arrivals)) {
      if (months.has(month)) continue
      await createPartition(db, month)
      months.add(month)
    }
    await before
    const fresh = await insertBatch(batch, arrivals, onOrdered)
    vacuum.onWrite(fresh.length)
    return (from, to) => ({ first: 0, count: fresh.slice(from, to).filter(Boolean).length })
  }

  async function insertBatch(
    batch: EventBatch,
    arrivals: readonly Arrival[],
    onOrdered: () => void,
  ): Promise<boolean[]> {
    try {
      return await db.transaction().execute(async (tx) => {
        const inserted = await insertEvents(tx, batch, arrivals, onOrdered)
        await incrementVersions(tx, batch.projectIds)
        return inserted
      })
    } catch (error) {
      if (!isTaken(error)) throw error
      return insertBatch(batch, arrivals, onOrdered) // ends, because each failure leaves fewer events to store
    }
  }
}

const DAY_MS = 86_400_000

/** Looks at each day once, because a batch of thousands of events has few. */
function monthsOf(arrivals: readonly Arrival[]): Set<string> {
  const days = new Set(arrivals.map(({ timestamp }) => Math.floor(timestamp / DAY_MS)))
  const months = [...days].map((day) => toPartitionMonth(day * DAY_MS))
  return new Set(months.filter((month) => month !== undefined))
}

interface Row extends Pick<StoredEvent, 'uuid' | 'event' | 'distinct_id' | 'properties'> {
  readonly timestamp: Date
  readonly created_at: Date
}

const isOneOf = (keys: readonly EventKey[]): Sql =>
  sql`(timestamp, uuid) in (select * from unnest(
    ${keys.map(({ timestamp }) => timestamp)}::timestamptz[], ${keys.map(({ uuid }) => uuid)}::uuid[]))`

async function listEvents(
  db: Db,
  projectId: number,
  { keys, event, distinctId, person, after, before, arrivedAfter, limit, offset }: EventFilter,
): Promise<StoredEvent[]> {
  const conditions = [
    sql`project_id = ${projectId}`,
    ...(keys === undefined ? [] : [isOneOf(keys)]),
    ...(event === undefined ? [] : [sql`event = ${toStoredText(event)}`]),
    ...(distinctId === undefined ? [] : [sql`distinct_id = ${toStoredText(distinctId)}`]),
    ...(person === undefined
      ? []
      : [sql`distinct_id in (select distinct_id from person_ids where person = ${person})`]),
    ...(after === undefined ? [] : [sql`timestamp > ${after}`]),
    ...(before === undefined ? [] : [sql`timestamp < ${before}`]),
    ...(arrivedAfter === undefined ? [] : [sql`created_at > ${arrivedAfter}`]),
  ]
  const { rows } = await sql<Row>`
    select uuid, event, distinct_id, timestamp, coalesce(whole, properties::text) as properties, created_at
    from events where ${sql.join(conditions, sql` and `)}
    order by timestamp desc, uuid desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => ({
    ...row,
    timestamp: row.timestamp.toISOString(),
    created_at: row.created_at.toISOString(),
  }))
}

import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import type { EventBatch } from '../event-batch.ts'
import { toStoredText } from '../event-row.ts'
import type { EventFilter, EventStore, StoredEvent } from '../event-store.ts'
import type { Sql } from '../event-table.ts'
import { createGroupCommit } from '../group-commit.ts'
import { insertEvents } from './insert-events.ts'
import { runEventQuery } from './run-query.ts'
import { createEventTables, createPartition, findCollation, toPartitionMonth } from './tables.ts'

/** Events beside the rest, in tables of their own that are made at first use. */
export function createPostgresStore(db: Db): EventStore {
  let opening: Promise<string> | undefined
  const months = new Set<string>()
  const group = createGroupCommit(write)

  return {
    append: group.append,
    appendPacked: group.appendPacked,
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
      return runEventQuery(db, await open(), projectId, question)
    },
    async version(projectId) {
      await open()
      const { rows } = await sql<{ version: number }>`
        select version from event_versions where project_id = ${projectId}`.execute(db)
      return String(rows[0]?.version ?? 0)
    },
    async deletePerson(projectId, distinctId) {
      await open()
      return deleteEvents(db, projectId, sql`distinct_id = ${toStoredText(distinctId)}`)
    },
    async deleteBefore(projectId, time) {
      await open()
      return deleteEvents(db, projectId, sql`timestamp < ${time}`)
    },
    async deleteProject(projectId) {
      await open()
      return deleteEvents(db, projectId, sql`true`)
    },
    async requireReady() {
      await open()
      await sql`select schema_version from event_store`.execute(db)
    },
    async requireIntact() {
      await open() // PostgreSQL checks its own pages
    },
    close: group.close,
  }

  /** The collation that knows the letters of all alphabets. */
  function open(): Promise<string> {
    opening ??= createEventTables(db)
      .then(() => findCollation(db))
      .catch((error) => {
        opening = undefined
        throw error
      })
    return opening
  }

  async function write(batch: EventBatch): Promise<void> {
    await open()
    for (const month of monthsOf(batch)) {
      if (months.has(month)) continue
      await createPartition(db, month)
      months.add(month)
    }
    await db.transaction().execute(async (tx) => {
      await insertEvents(tx, batch)
      await incrementVersions(tx, batch.projectIds)
    })
  }
}

function monthsOf(batch: EventBatch): Set<string> {
  const months = new Set<string>()
  for (const slice of batch.slices()) {
    for (const { timestamp } of slice) {
      const month = toPartitionMonth(timestamp)
      if (month !== undefined) months.add(month)
    }
  }
  return months
}

interface Row extends Pick<StoredEvent, 'uuid' | 'event' | 'distinct_id' | 'properties'> {
  readonly timestamp: Date
  readonly created_at: Date
}

async function listEvents(
  db: Db,
  projectId: number,
  { event, distinctId, after, before, arrivedAfter, limit, offset }: EventFilter,
): Promise<StoredEvent[]> {
  const conditions = [
    sql`project_id = ${projectId}`,
    ...(event === undefined ? [] : [sql`event = ${toStoredText(event)}`]),
    ...(distinctId === undefined ? [] : [sql`distinct_id = ${toStoredText(distinctId)}`]),
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

/** Runs last in a transaction and in order, so that its holder waits for nothing but other versions. */
async function incrementVersions(tx: Tx, projects: readonly number[]): Promise<void> {
  await sql`
    insert into event_versions (project_id, version)
    select project_id, 1 from unnest(${projects}::bigint[]) as given (project_id) order by project_id
    on conflict (project_id) do update set version = event_versions.version + 1`.execute(tx)
}

/** A key goes with its event, or the event could never come again. */
function deleteEvents(db: Db, projectId: number, condition: Sql): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ count: number }>`
      with gone as (
        delete from events where project_id = ${projectId} and ${condition} returning project_id, uuid
      ), keys as (
        delete from event_keys using gone
        where event_keys.project_id = gone.project_id and event_keys.uuid = gone.uuid
      )
      select count(*) as count from gone`.execute(tx)
    const count = rows[0]?.count ?? 0
    if (count > 0) await incrementVersions(tx, [projectId])
    return count
  })
}

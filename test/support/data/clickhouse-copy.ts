import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { sql } from 'kysely'
import type { JsonObject } from '#model/json.ts'
import { runEventQuery } from '#server/analytics/clickhouse/run-query.ts'
import { TABLE_NAMES, type TableName, toDefinitions } from '#server/analytics/clickhouse/tables.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import type { Db } from '#server/db/schema.ts'

/** Queries of ClickHouse over copies of a PostgreSQL store's projects. */
export interface ClickHouseCopy extends Pick<EventStore, 'query'> {
  /** Copies a project again before its next query. */
  renew(projectId: number): void
}

const time = (name: string) =>
  sql`(extract(epoch from ${sql.ref(name)}) * 1000)::bigint as ${sql.ref(name)}`

const SELECTIONS: Readonly<Record<TableName, ReturnType<typeof sql>>> = {
  events: sql`select facts.project_id, facts.seq, facts.uuid, facts.event, facts.distinct_id, facts.person,
    (extract(epoch from facts.timestamp) * 1000)::bigint as timestamp,
    (extract(epoch from events.created_at) * 1000)::bigint as created_at, g0, g1, g2, g3, g4, events.properties
    from facts join events using (project_id, uuid) where facts.project_id`,
  persons: sql`select project_id, number, uuid, ${time('created_at')}, has_profile, is_identified, properties
    from persons where project_id`,
  person_ids: sql`select * from person_ids where project_id`,
  group_types: sql`select project_id, type_index, name, ${time('created_at')} from group_types where project_id`,
  group_profiles: sql`select project_id, type_index, key, ${time('created_at')}, ${time('updated_at')}, properties
    from group_profiles where project_id`,
  identity_warnings: sql`select project_id, type, distinct_id, other_id, ${time('created_at')}
    from identity_warnings where project_id`,
}

/** The engine is slow, and other tests may be before this one. */
const TIMEOUT_MS = 600_000

/** Creates the product's tables in memory, because small ones on a disk take longer to merge than to query. */
export async function createClickHouseCopy(url: string, db: Db): Promise<ClickHouseCopy> {
  const database = `copy_${process.pid}_${Date.now()}`
  const admin = createClient({ url, request_timeout: TIMEOUT_MS })
  await admin.command({ query: `create database ${database}` })
  await admin.close()
  const client = createClient({ url, database, request_timeout: TIMEOUT_MS })
  for (const table of TABLE_NAMES) {
    await client.command({
      query: `create table ${table} (${toDefinitions(table)}) engine = Memory`,
    })
  }
  /** The projects that ClickHouse has, and whether as they are now. */
  const copied = new Map<number, boolean>()

  async function copy(projectId: number): Promise<void> {
    for (const table of TABLE_NAMES) {
      if (copied.has(projectId)) await deleteProject(client, table, projectId)
      const { rows } = await sql<
        Record<string, unknown>
      >`${SELECTIONS[table]} = ${projectId}`.execute(db)
      const values = rows.map(({ properties, ...row }) => ({
        ...row,
        ...(properties !== undefined && { properties: toPropertiesText(properties as JsonObject) }),
        ...(table !== 'events' && { version: 1, is_deleted: 0 }),
      }))
      if (values.length > 0) await client.insert({ table, values, format: 'JSONEachRow' })
    }
    copied.set(projectId, true)
  }

  let copying: Promise<unknown> = Promise.resolve()
  return {
    renew(projectId) {
      if (copied.has(projectId)) copied.set(projectId, false)
    },
    async query(projectId, query) {
      copying = copying.then(async () => copied.get(projectId) || (await copy(projectId)))
      await copying
      return runEventQuery(client, projectId, query)
    },
  }
}

const deleteProject = (client: ClickHouseClient, table: TableName, projectId: number) =>
  client.command({
    query: `alter table ${table} delete where project_id = ${projectId} settings mutations_sync = 2`,
  })

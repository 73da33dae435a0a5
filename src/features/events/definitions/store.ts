import { sql } from 'kysely'
import { toStoredText } from '#server/analytics/event-row.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { toRequired, toTextColumn } from '#server/analytics/queries/columns.ts'
import { and } from '#server/analytics/queries/filters.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import type { PropertyHolder, PropertyValue, SeenEvent } from './schema.ts'

/** Number of the newest events or persons that are searched. */
const SAMPLE_SIZE = 100_000
const MAX_NAMES = 10_000
const MAX_VALUES = 50
const MAX_VALUE_LENGTH = 1000
const VOLUME_MS = 30 * 86_400_000

/** Finds the time of the oldest event of the sample; undefined if the sample has all events. */
export async function findSampleStart(
  store: EventStore,
  projectId: number,
): Promise<string | undefined> {
  const [row] = await store.query(projectId, {
    properties: [],
    toSql: (table) =>
      sql`select ${table.milliseconds} as time from ${table.rows} e order by e.timestamp desc limit 1 offset ${sql.lit(SAMPLE_SIZE - 1)}`,
  })
  return row && new Date(Number(row.time)).toISOString()
}

const since = (time: string | undefined): Sql =>
  time === undefined ? sql`true` : sql`e.timestamp >= ${time}::timestamptz`

export async function listEventNames(
  store: EventStore,
  projectId: number,
  sample: string | undefined,
): Promise<readonly SeenEvent[]> {
  const month = new Date(Date.now() - VOLUME_MS).toISOString()
  const from = sample === undefined || sample < month ? sample : month
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) => sql`
      select e.event as name, count(*) filter (where ${since(month)}) as volume, max(${table.milliseconds}) as last
      from ${table.rows} e where ${since(from)}
      group by e.event order by volume desc, last desc, ${table.sortable(sql`e.event`)} limit ${sql.lit(MAX_NAMES)}`,
  })
  return rows.map(({ name, volume, last }) => ({
    name: String(name),
    volume_30_day: Number(volume),
    last_seen_at: new Date(Number(last)).toISOString(),
  }))
}

export interface ValueQuery {
  readonly key: string
  readonly event?: string
  readonly value?: string
  readonly type?: PropertyHolder
}

export async function listPropertyValues(
  store: EventStore,
  projectId: number,
  query: ValueQuery,
  sample: string | undefined,
): Promise<readonly PropertyValue[]> {
  const { key, value } = query
  const column = { key, type: query.type ?? 'event' }
  const isPerson = column.type === 'person'
  const span = { from: sample ? Date.parse(sample) / 1000 : 0, to: Date.now() / 1000 }
  const toSql = (table: EventTable) => {
    const found = isPerson
      ? selectPersonValues(table, key)
      : selectValues(table, toTextColumn(table, column, 'key'), query, sample)
    return rankValues(table, found, value)
  }
  const required = isPerson ? { properties: [] } : toRequired([column], sample ? span : undefined)
  const rows = await store.query(projectId, { ...required, toSql })
  return rows.map((row) => ({ value: String(row.value), count: Number(row.count) }))
}

/** Selects the most frequent of the values that `found` selects as `value`, with their count. */
export const rankValues = (table: EventTable, found: Sql, search: string | undefined): Sql => sql`
  select s.value as value, count(*) as count from (${found}) s
  where s.value is not null and length(s.value) <= ${sql.lit(MAX_VALUE_LENGTH)} and ${containsText(search)}
  group by s.value order by count desc, ${table.sortable(sql`s.value`)} limit ${sql.lit(MAX_VALUES)}`

function selectValues(
  table: EventTable,
  text: Sql,
  { event }: ValueQuery,
  sample: string | undefined,
): Sql {
  const conditions = [
    since(sample),
    ...(event === undefined ? [] : [sql`e.event = ${toStoredText(event)}::text`]),
  ]
  return sql`select ${text} as value from ${table.rows} e where ${and(conditions)}`
}

const newestPersons = (limit: number): Sql =>
  sql`order by p.created_at desc, p.number desc limit ${sql.lit(limit)}`

const selectPersonValues = (table: EventTable, key: string): Sql =>
  sql`select ${table.profileProperty(key)} as value from ${table.persons} p ${newestPersons(SAMPLE_SIZE)}`

/** Lists the properties of each person as a JSON object. */
export async function listNewestProfiles(
  store: EventStore,
  projectId: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) =>
      sql`select p.properties::text as properties from ${table.persons} p ${newestPersons(limit)}`,
  })
  return rows.map(({ properties }) => String(properties))
}

/** Matches the text exactly, or ignoring case as far as the database folds it. */
function containsText(search: string | undefined): Sql {
  if (search === undefined || search === '') return sql`true`
  const text = sanitizeText(search).replace(/[\\%_]/g, '\\$&')
  const like = (column: Sql, pattern: string) =>
    sql`${column} like ${`%${pattern}%`}::text escape '\\'`
  return sql`(${like(sql`s.value`, text)} or ${like(sql`lower(s.value)`, text.toLowerCase())})`
}

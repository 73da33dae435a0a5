import { sql } from 'kysely'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { toGroupKey } from '#server/analytics/groups/group-keys.ts'
import { and } from '#server/analytics/queries/filters.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { rankValues } from '../definitions/store.ts'
import type { GroupId, GroupValueQuery } from './schema.ts'

export interface GroupRow {
  readonly index: number
  readonly key: string
  readonly createdAt: string
  /** A JSON object as text. */
  readonly properties: string
}

export interface GroupTypeRow {
  readonly index: number
  readonly name: string
  readonly createdAt: string
}

const toTime = (milliseconds: unknown): string =>
  new Date(Math.round(milliseconds as number)).toISOString()

const toMilliseconds = (time: Sql): Sql =>
  sql`(extract(epoch from ${time}) * 1000)::double precision`

const toGroupRow = (row: StatementRow): GroupRow => ({
  index: row.type_index as number,
  key: row.key as string,
  createdAt: toTime(row.created_at),
  properties: row.properties as string,
})

const COLUMNS = sql`g.type_index, g.key, g.properties::text as properties, ${toMilliseconds(sql`g.created_at`)} as created_at`

/** Matches groups that have the text in their key or name. */
export function containsGroupText(table: EventTable, key: Sql, search: string): Sql {
  const wanted = table.lower(sql`${sanitizeText(search)}::text`)
  const contains = (text: Sql) => sql`strpos(${table.lower(text)}, ${wanted}) > 0`
  const name = sql`coalesce(${table.groupProfileProperty('name')}, '')`
  return sql`(${contains(key)} or ${contains(name)})`
}

interface GroupFilter {
  readonly index: number
  readonly search: string | undefined
  readonly hasProperties?: ((table: EventTable) => Sql) | undefined
}

/** A place in the list: the rows after a group, or the last ones before it. */
export interface GroupPlace {
  readonly side: 'after' | 'before'
  readonly createdAt: string
  readonly key: string
}

export interface GroupRange {
  readonly limit: number
  /** Without one, the list begins with the newest group. */
  readonly place?: GroupPlace | undefined
}

/** Lists groups of a type, newest first, that have the text in their key or name, and the properties. */
export async function listGroupRows(
  store: EventStore,
  projectId: number,
  { index, search, hasProperties }: GroupFilter,
  { limit, place }: GroupRange,
): Promise<GroupRow[]> {
  const isBackward = place?.side === 'before'
  const rows = await store.query(projectId, {
    properties: [],
    toSql(table) {
      const conditions = [
        sql`g.type_index = ${sql.lit(index)}`,
        ...(search ? [containsGroupText(table, sql`g.key`, search)] : []),
        ...(hasProperties ? [hasProperties(table)] : []),
        ...(place ? [isBeyond(table, place)] : []),
      ]
      const key = table.sortable(sql`g.key`)
      const order = isBackward ? sql`g.created_at, ${key} desc` : sql`g.created_at desc, ${key}`
      return sql`select ${COLUMNS} from ${table.groups} g where ${and(conditions)}
        order by ${order} limit ${sql.lit(limit)}`
    },
  })
  const found = rows.map(toGroupRow)
  return isBackward ? found.reverse() : found
}

function isBeyond(table: EventTable, { side, createdAt, key }: GroupPlace): Sql {
  const at = sql`${createdAt}::timestamptz`
  const [own, other] = [table.sortable(sql`g.key`), table.sortable(sql`${key}::text`)]
  return side === 'after'
    ? sql`(g.created_at < ${at} or (g.created_at = ${at} and ${own} > ${other}))`
    : sql`(g.created_at > ${at} or (g.created_at = ${at} and ${own} < ${other}))`
}

export async function findGroupRow(
  store: EventStore,
  projectId: number,
  { group_type_index, group_key }: GroupId,
): Promise<GroupRow | undefined> {
  const [row] = await store.query(projectId, {
    properties: [],
    toSql: (table) => sql`select ${COLUMNS} from ${table.groups} g
      where g.type_index = ${sql.lit(group_type_index)} and g.key = ${toGroupKey(group_key)}::text`,
  })
  return row && toGroupRow(row)
}

/** Lists the types of a project by index. */
export async function listGroupTypeRows(
  store: EventStore,
  projectId: number,
): Promise<GroupTypeRow[]> {
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (
      table,
    ) => sql`select t.type_index, t.name, ${toMilliseconds(sql`t.created_at`)} as created_at
      from ${table.groupTypes} t order by t.type_index`,
  })
  return rows.map((row) => ({
    index: row.type_index as number,
    name: row.name as string,
    createdAt: toTime(row.created_at),
  }))
}

export async function listGroupValues(
  store: EventStore,
  projectId: number,
  { group_type_index, key, value }: GroupValueQuery,
): Promise<{ name: string; count: number }[]> {
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) => {
      const found = sql`select ${table.groupProfileProperty(key)} as value from ${table.groups} g
        where g.type_index = ${sql.lit(group_type_index)}`
      return rankValues(table, found, value)
    },
  })
  return rows.map((row) => ({ name: String(row.value), count: Number(row.count) }))
}

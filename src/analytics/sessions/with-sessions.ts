import { sql } from 'kysely'
import { findSessionProperty, SESSION_PROPERTIES } from '#model/session-properties.ts'
import { invalid } from '#server/errors.ts'
import type { EventTable, SessionReading, Sql } from '../event-table.ts'
import {
  type FieldName,
  propertiesOf,
  SESSION_COLUMNS,
  SESSION_ID,
  type SessionColumn,
  type SessionEvents,
  selectSessions,
} from './select-sessions.ts'

/** The fields that join an event to its session. */
const KEYS = ['key_id', 'key_person', 'first_ms', 'last_ms'] as const

export function requireSessionProperty(key: string, attr: string): string {
  const name = findSessionProperty(key)
  if (name !== undefined) return name
  const known = Object.keys(SESSION_PROPERTIES).join(', ')
  throw invalid(attr, `Sessions have no such property. There are ${known}.`, 'invalid_choice')
}

const COLUMNS = new Map(SESSION_COLUMNS.map((column) => [findSessionProperty(column.name), column]))

/** Lists the columns of known properties; unknown ones are refused where they are compiled. */
const columnsOf = (keys: readonly string[]): SessionColumn[] => [
  ...new Set(keys.map(findSessionProperty).flatMap((name) => (name && COLUMNS.get(name)) || [])),
]

/** Lists the properties of events that session properties are computed from. */
export const propertiesOfSessions = (keys: readonly string[]): readonly string[] =>
  keys.length === 0
    ? []
    : [SESSION_ID, ...propertiesOf(columnsOf(keys).flatMap(({ fields }) => fields))]

/** Writes a column as the text that filters compare. Times are in UTC. */
function toText(table: SessionEvents, { type, fields, select }: SessionColumn): Sql {
  const value = select?.(table) ?? sql`s.${sql.raw(fields[0] as string)}`
  if (type === 'String') return value
  if (type === 'DateTime') return sql`(${value} at time zone 'UTC')::text`
  if (type === 'Boolean') {
    return sql`case when ${value} then 'true' when not (${value}) then 'false' end`
  }
  return sql`(${value})::text`
}

/** Lists the fields that properties of sessions are computed from. */
export const sessionFields = (keys: readonly string[]): readonly FieldName[] =>
  columnsOf(keys).flatMap(({ fields }) => fields)

/** Reads properties of the session `s`, of known names. */
export const onSessions = (table: SessionEvents): EventTable => ({
  ...table,
  sessionProperty(key) {
    const column = COLUMNS.get(findSessionProperty(key))
    return column ? toText(table, column) : sql`null`
  },
})

/**
 * Joins its session to each event, only if the statement reads session properties. A session without an ID is found by
 * its person and time, because the sessions of a person do not overlap.
 */
export function withSessions(
  table: SessionEvents,
  reading: SessionReading | undefined,
): EventTable {
  const columns = columnsOf(reading?.keys ?? [])
  const nameOf = (key: string) => {
    const column = COLUMNS.get(findSessionProperty(key))
    return sql.raw(`session_${column ? columns.indexOf(column) : -1}`)
  }
  const sessionProperty = (key: string): Sql => sql`e.${nameOf(key)}`
  if (!reading || columns.length === 0) return { ...table, sessionProperty }
  const fields = [...new Set([...KEYS, ...columns.flatMap(({ fields }) => fields)])]
  const names = columns.map(({ name }) => nameOf(name))
  const texts = columns.map((column, index) => sql`${toText(table, column)} as ${names[index]}`)
  const keys = KEYS.map((key) => sql.raw(key))
  const rows = sql`(
    select e.*, ${sql.join(names)} from (
      select e.*, coalesce(${table.property(SESSION_ID)}, '') as own_id, ${table.milliseconds} as own_ms
      from ${table.rows} e
    ) e left join (
      select ${sql.join(keys)}, ${sql.join(texts)} from (${selectSessions(table, fields, { span: reading.span })}) s
    ) s on s.key_id = e.own_id
      and s.key_person = case when e.own_id <> '' then 0 when e.event in ('$pageview', '$screen') then e.person else -1 end
      and e.own_ms between s.first_ms and s.last_ms
  )`
  return { ...table, rows, sessionProperty }
}

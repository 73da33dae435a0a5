import { sql } from 'kysely'
import type { EventStore, NewEvent } from '#server/analytics/event-store.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { selectTexts, toTexts, writeTexts } from './find-persons.ts'
import { deriveGroups } from './groups.ts'
import { firstOfEach } from './persons.ts'
import { PERSON_KEYS } from './visitors.ts'

/** A project's groups, in a form that is the same on every store. */
export interface GroupsFound {
  readonly types: readonly string[]
  /** Each group by its index and key, with its times and texts of properties. */
  readonly groups: Readonly<Record<string, unknown>>
  /** The keys of each event's groups and the texts of the first one's properties, by uuid. */
  readonly events: Readonly<Record<string, unknown>>
}

const INDEXES = [0, 1, 2, 3, 4]

/** Reads groups and the groups of each event from a store, the latter also where no column helps. */
export async function findGroups(
  store: Pick<EventStore, 'query'>,
  projectId: number,
): Promise<GroupsFound> {
  const query = (toSql: (table: EventTable) => Sql, properties: readonly string[] = []) =>
    store.query(projectId, {
      properties,
      groupKeys: INDEXES,
      groupProperties: PERSON_KEYS.map((key) => ({ index: 0, key })),
      toSql,
    })
  const types = await query(
    (table) => sql`select t.name from ${table.groupTypes} t order by t.type_index`,
  )
  const groups = await query(
    (table) => sql`select g.type_index, g.key, ${toMs(sql`g.created_at`)} as created_at,
      ${toMs(sql`g.updated_at`)} as updated_at,
      ${selectTexts((key) => table.groupProfileProperty(key))} from ${table.groups} g`,
  )
  const selectEvents = (table: EventTable) => {
    const keys = INDEXES.map((index) => sql`${table.groupKey(index)} as ${sql.id(`key_${index}`)}`)
    const texts = selectTexts((key) => table.groupProperty({ index: 0, key }))
    return sql`select e.uuid::text as uuid, ${sql.join(keys)}, ${texts} from ${table.rows} e order by 1`
  }
  const events = await query(selectEvents)
  const cold = await query(selectEvents, ['never a column'])
  if (JSON.stringify(cold) !== JSON.stringify(events)) throw new Error('Events have other groups.')
  return {
    types: types.map(({ name }) => name as string),
    groups: Object.fromEntries(
      groups.map((row) => [
        `${row.type_index} ${row.key}`,
        { createdAt: row.created_at, updatedAt: row.updated_at, texts: toTexts(row) },
      ]),
    ),
    events: Object.fromEntries(events.map((row) => [row.uuid, [...toKeys(row), toTexts(row)]])),
  }
}

/** Expects what the reference derives from the events in their order of arrival. */
export function expectGroups(log: readonly NewEvent[]): GroupsFound {
  const events = firstOfEach(log)
  const { types, groups, keysOf } = deriveGroups(events)
  const found = new Map(
    [...groups].map(([id, { properties, ...times }]) => [
      id,
      { ...times, texts: writeTexts(properties) },
    ]),
  )
  const toEvent = (event: NewEvent) => {
    const keys = keysOf(event)
    const texts = found.get(`0 ${keys[0]}`)?.texts ?? writeTexts({})
    return [...INDEXES.map((index) => keys[index] ?? null), texts]
  }
  return {
    types,
    groups: Object.fromEntries(found),
    events: Object.fromEntries(events.map((event) => [event.uuid, toEvent(event)])),
  }
}

const toMs = (time: Sql): Sql => sql`round(extract(epoch from ${time}) * 1000)::double precision`

const toKeys = (row: StatementRow) => INDEXES.map((index) => row[`key_${index}`])

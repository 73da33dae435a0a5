import { sql } from 'kysely'
import type { ColumnType } from '#model/query-kinds/common.schema.ts'
import { invalid } from '#server/errors.ts'
import type { EventTable, GroupProperty, RequiredColumns, Sql, TimeSpan } from '../event-table.ts'
import { GROUP_INDEXES } from '../groups/group-types.ts'
import { propertiesOfSessions, requireSessionProperty } from '../sessions/with-sessions.ts'

/** A property of an event, of its person, session or one of its groups, or another column of the event. */
export interface ColumnRef {
  readonly key: string
  readonly type?: ColumnType | null | undefined
  /** The type of the groups whose property it is. */
  readonly groupIndex?: number | null | undefined
}

export const groupKeyColumn = (index: number): ColumnRef => ({
  key: `$group_${index}`,
  type: 'event_metadata',
})

export const eventProperty = (key: string): ColumnRef => ({ key, type: 'event' })

/** Columns of an event besides its properties. */
const METADATA: Readonly<Record<string, (table: EventTable) => Sql>> = {
  event: () => sql`e.event`,
  distinct_id: () => sql`e.distinct_id`,
  person_id: (table) => table.personUuid,
  ...Object.fromEntries(
    GROUP_INDEXES.map((index) => [
      groupKeyColumn(index).key,
      (table: EventTable) => table.groupKey(index),
    ]),
  ),
}

export const isMetadata = ({ type }: { readonly type?: string | null | undefined }): boolean =>
  type === 'event_metadata'

/** Selects a column as text; null when it is absent. */
export function toTextColumn(table: EventTable, column: ColumnRef, attr: string): Sql {
  const { key, type } = column
  if (type === 'group') return table.groupProperty(toGroupProperty(column))
  if (type === 'person') return table.personProperty(key)
  if (type === 'session') return table.sessionProperty(requireSessionProperty(key, attr))
  if (type !== 'event_metadata') return table.property(key)
  const select = Object.hasOwn(METADATA, key) ? METADATA[key] : undefined
  if (select) return select(table)
  const known = Object.keys(METADATA).join(', ')
  throw invalid(attr, `Events have no such column. There are ${known}.`, 'invalid_choice')
}

/** `requireGroupTypes` has looked whether the index is there. */
const toGroupProperty = ({ key, groupIndex }: ColumnRef): GroupProperty => ({
  index: groupIndex as number,
  key,
})

/** `span` is the time of all events that the statement reads, which limits the sessions that it has to find. */
export function toRequired(columns: readonly ColumnRef[], span?: TimeSpan): RequiredColumns {
  const listKeys = (isWanted: (column: ColumnRef) => boolean) => [
    ...new Set(columns.filter(isWanted).map(({ key }) => key)),
  ]
  const sessionKeys = listKeys(({ type }) => type === 'session')
  const own = listKeys(({ type }) => (type ?? 'event') === 'event')
  return {
    properties: [...new Set([...own, ...propertiesOfSessions(sessionKeys)])],
    personProperties: listKeys(({ type }) => type === 'person'),
    groupKeys: GROUP_INDEXES.filter((index) =>
      columns.some((column) => isMetadata(column) && column.key === groupKeyColumn(index).key),
    ),
    groupProperties: columns.filter(({ type }) => type === 'group').map(toGroupProperty),
    personUuid: columns.some((column) => isMetadata(column) && column.key === 'person_id'),
    ...(sessionKeys.length > 0 && { sessions: { keys: sessionKeys, span } }),
  }
}

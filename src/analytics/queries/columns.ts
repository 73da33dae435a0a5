import { sql } from 'kysely'
import type { ColumnType } from '#model/query-kinds/common.schema.ts'
import { invalid } from '#server/errors.ts'
import type { EventQuery, EventTable, Sql } from '../event-table.ts'

/** A property of an event or of its person, or another column of the event. */
export interface ColumnRef {
  readonly key: string
  readonly type?: ColumnType | null | undefined
}

export const eventProperty = (key: string): ColumnRef => ({ key, type: 'event' })

/** Columns of an event besides its properties. */
const METADATA: Readonly<Record<string, (table: EventTable) => Sql>> = {
  event: () => sql`e.event`,
  distinct_id: () => sql`e.distinct_id`,
  person_id: (table) => table.personUuid,
}

export const isMetadata = ({ type }: { readonly type?: string | null | undefined }): boolean =>
  type === 'event_metadata'

/** Selects a column as text; null when it is absent. */
export function toTextColumn(table: EventTable, { key, type }: ColumnRef, attr: string): Sql {
  if (type === 'person') return table.personProperty(key)
  if (type !== 'event_metadata') return table.property(key)
  const select = Object.hasOwn(METADATA, key) ? METADATA[key] : undefined
  if (select) return select(table)
  const known = Object.keys(METADATA).join(', ')
  throw invalid(attr, `Events have no such column. There are ${known}.`, 'invalid_choice')
}

/** The columns that a statement must ask the store for. */
export type AskedColumns = Pick<EventQuery, 'properties' | 'personProperties' | 'personUuid'>

export function toAsked(columns: readonly ColumnRef[]): AskedColumns {
  const keysOf = (isWanted: (column: ColumnRef) => boolean) => [
    ...new Set(columns.filter(isWanted).map(({ key }) => key)),
  ]
  return {
    properties: keysOf((column) => column.type !== 'person' && !isMetadata(column)),
    personProperties: keysOf(({ type }) => type === 'person'),
    personUuid: columns.some((column) => isMetadata(column) && column.key === 'person_id'),
  }
}

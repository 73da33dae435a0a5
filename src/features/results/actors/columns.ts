import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { invalid } from '#server/errors.ts'
import { plain, quoted, stored, toJsonText } from '#server/http/json-text.ts'
import type { Column } from '../row-page.ts'
import { toActorJson } from './representation.ts'
import type { Actor } from './store.ts'

interface ColumnSpec extends Omit<Column<Actor>, 'name'> {
  /** Columns without it cannot be sorted by. */
  order?(table: EventTable): Sql
}

const id: ColumnSpec = {
  type: 'String',
  read: ({ person }) => plain(person.uuid),
  order: (table) => table.sortable(sql`p.uuid::text`),
}

const COLUMNS: Readonly<Record<string, ColumnSpec>> = {
  actor: { type: 'Object', read: toActorJson },
  id,
  actor_id: id,
  created_at: {
    type: 'DateTime',
    read: ({ person }) => quoted(person.hasProfile ? person.createdAt : null),
    order: () => sql`p.created_at`,
  },
  event_count: {
    type: 'Integer',
    read: ({ events }) => stored(String(events)),
    order: () => sql`a.events`,
  },
}

const PROPERTY = /^(?:person\.)?properties\.(?:`(.+)`|"(.+)"|(.+))$/

/** `person.properties.plan` reads a property of the current profile. */
function toProperty(key: string): ColumnSpec {
  return {
    type: 'Object',
    read({ person }) {
      const properties = JSON.parse(person.properties)
      return toJsonText(Object.hasOwn(properties, key) ? properties[key] : null)
    },
    order: (table) => table.sortable(table.profileProperty(key)),
  }
}

function findColumn(name: string, hasSource: boolean): ColumnSpec | undefined {
  const [, ...keys] = PROPERTY.exec(name) ?? []
  const key = keys.find((each) => each !== undefined)
  if (key !== undefined) return toProperty(key)
  if (name === 'event_count' && !hasSource) return undefined
  return Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined
}

const namesOf = (hasSource: boolean): string =>
  [
    ...Object.keys(COLUMNS).filter((name) => findColumn(name, hasSource)),
    'person.properties.<key>',
  ].join(', ')

export const parseColumns = (
  select: readonly string[],
  hasSource: boolean,
  attr: string,
): Column<Actor>[] =>
  select.map((name, index) => {
    const found = findColumn(name, hasSource)
    if (found) return { ...found, name }
    const detail = `"${name.slice(0, 100)}" is not a column. There are ${namesOf(hasSource)}.`
    throw invalid(`${attr}__${index}`, detail, 'invalid_choice')
  })

/** A column to sort by, and the direction. */
export type ActorOrder = (table: EventTable) => Sql

const DIRECTION = /^(.+?)(?:\s+(asc|desc))?$/i

export const parseOrders = (
  orderBy: readonly string[],
  hasSource: boolean,
  attr: string,
): ActorOrder[] =>
  orderBy.map((text, index) => {
    const [, name = '', direction = 'asc'] = DIRECTION.exec(text.trim()) ?? []
    const { order } = findColumn(name, hasSource) ?? {}
    if (!order) {
      const detail = `"${name.slice(0, 100)}" cannot be sorted by. There are ${namesOf(hasSource).replace('actor, ', '')}.`
      throw invalid(`${attr}__${index}`, detail, 'invalid_choice')
    }
    const sign = sql.raw(direction.toLowerCase())
    return (table) => sql`${order(table)} ${sign} nulls last`
  })

import type { StoredEvent } from '#server/analytics/event-store.ts'
import { invalid } from '#server/errors.ts'
import { toPersonName } from '#server/features/events/persons/representation.ts'
import type { PersonRow } from '#server/features/events/persons/store.ts'
import {
  type JsonText,
  jsonWriter,
  plain,
  quoted,
  stored,
  toJsonText,
} from '#server/http/json-text.ts'
import type { Column } from '../row-page.ts'

/** An event behind a number, and its person as of today. */
export interface PointEvent {
  readonly event: StoredEvent
  readonly person: PersonRow
}

type ColumnSpec = Omit<Column<PointEvent>, 'name'>

const text = (read: (row: PointEvent) => string): ColumnSpec => ({
  type: 'String',
  read: (row) => quoted(read(row)),
})

const time = (read: (event: StoredEvent) => string): ColumnSpec => ({
  type: 'DateTime',
  read: ({ event }) => plain(read(event)),
})

const COLUMNS: Readonly<Record<string, ColumnSpec>> = {
  '*': {
    type: 'Object',
    read: jsonWriter<PointEvent>({
      uuid: ({ event }) => plain(event.uuid),
      event: ({ event }) => quoted(event.event),
      distinct_id: ({ event }) => quoted(event.distinct_id),
      timestamp: ({ event }) => plain(event.timestamp),
      properties: ({ event }) => stored(event.properties),
      created_at: ({ event }) => plain(event.created_at),
      person_id: ({ person }) => plain(person.uuid),
    }) as ColumnSpec['read'],
  },
  person: {
    type: 'Object',
    read: jsonWriter<PointEvent>({
      uuid: ({ person }) => plain(person.uuid),
      name: ({ person }) => quoted(toPersonName(person)),
      distinct_id: ({ event }) => quoted(event.distinct_id),
      properties: ({ person }) => stored(person.properties),
      created_at: ({ person }) => quoted(person.hasProfile ? person.createdAt : null),
    }) as ColumnSpec['read'],
  },
  uuid: text(({ event }) => event.uuid),
  event: text(({ event }) => event.event),
  distinct_id: text(({ event }) => event.distinct_id),
  person_id: text(({ person }) => person.uuid),
  timestamp: time(({ timestamp }) => timestamp),
  created_at: time(({ created_at }) => created_at),
  properties: { type: 'Object', read: ({ event }) => stored(event.properties) },
}

const PROPERTY = /^(person\.)?properties\.(?:`(.+)`|"(.+)"|(.+))$/

function findColumn(name: string): ColumnSpec | undefined {
  const [, ofPerson, ...keys] = PROPERTY.exec(name) ?? []
  const key = keys.find((each) => each !== undefined)
  if (key === undefined) return Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined
  return {
    type: 'Object',
    read: ({ event, person }) => readProperty((ofPerson ? person : event).properties, key),
  }
}

function readProperty(document: string, key: string): JsonText {
  const properties = JSON.parse(document)
  return toJsonText(Object.hasOwn(properties, key) ? properties[key] : null)
}

const NAMES = [...Object.keys(COLUMNS), 'properties.<key>', 'person.properties.<key>'].join(', ')

export const parseEventColumns = (select: readonly string[], attr: string): Column<PointEvent>[] =>
  select.map((name, index) => {
    const found = findColumn(name)
    if (found) return { ...found, name }
    const detail = `"${name.slice(0, 100)}" is not a column. There are ${NAMES}.`
    throw invalid(`${attr}__${index}`, detail, 'invalid_choice')
  })

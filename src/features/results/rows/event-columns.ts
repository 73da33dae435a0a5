import type { StoredEvent } from '#server/analytics/event-store.ts'
import { toPersonName } from '#server/features/events/person-rows/representation.ts'
import type { PersonRow } from '#server/features/events/person-rows/store.ts'
import { jsonWriter, plain, quoted, stored } from '#server/http/json-text.ts'
import { type ColumnSet, type ColumnSpec, readProperty } from './list-columns.ts'

/** An event behind a number, and its person as of today. */
export interface PointEvent {
  readonly event: StoredEvent
  readonly person: PersonRow
}

type EventColumn = ColumnSpec<PointEvent>

const text = (read: (row: PointEvent) => string): EventColumn => ({
  type: 'String',
  read: (row) => quoted(read(row)),
})

const time = (read: (event: StoredEvent) => string): EventColumn => ({
  type: 'DateTime',
  read: ({ event }) => plain(read(event)),
})

const NAMED: ColumnSet<PointEvent>['named'] = {
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
    }),
  },
  person: {
    type: 'Object',
    read: jsonWriter<PointEvent>({
      uuid: ({ person }) => plain(person.uuid),
      name: ({ person }) => quoted(toPersonName(person)),
      distinct_id: ({ event }) => quoted(event.distinct_id),
      properties: ({ person }) => stored(person.properties),
      created_at: ({ person }) => quoted(person.hasProfile ? person.createdAt : null),
      is_identified: ({ person }) => person.isIdentified,
    }),
  },
  uuid: text(({ event }) => event.uuid),
  event: text(({ event }) => event.event),
  distinct_id: text(({ event }) => event.distinct_id),
  person_id: text(({ person }) => person.uuid),
  timestamp: time(({ timestamp }) => timestamp),
  created_at: time(({ created_at }) => created_at),
  properties: { type: 'Object', read: ({ event }) => stored(event.properties) },
}

/** Columns of the events behind a number. */
export const EVENT_COLUMNS: ColumnSet<PointEvent> = {
  named: NAMED,
  properties: {
    properties: (key) => ({
      type: 'Object',
      read: ({ event }) => readProperty(event, key),
    }),
    'person.properties': (key) => ({
      type: 'Object',
      read: ({ person }) => readProperty(person, key),
    }),
  },
}

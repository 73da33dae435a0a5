import { sql } from 'kysely'
import { plain, quoted, stored } from '#server/http/json-text.ts'
import { toActorJson, toGroupActorJson } from './actor-representation.ts'
import type { Actor } from './actor-store.ts'
import type { GroupActor } from './group-store.ts'
import { type ColumnSet, type ColumnSpec, readProperty } from './list-columns.ts'

const id: ColumnSpec<Actor> = {
  type: 'String',
  read: ({ person }) => plain(person.uuid),
  order: (table) => table.sortable(sql`p.uuid::text`),
}

/** Reads a property of the current profile. */
const profile = (key: string): ColumnSpec<Actor> => ({
  type: 'Object',
  read: ({ person }) => readProperty(person, key),
  order: (table) => table.sortable(table.profileProperty(key)),
})

const eventCount: ColumnSpec<{ readonly events: number | null }> = {
  type: 'Integer',
  read: ({ events }) => stored(String(events)),
  order: () => sql`a.events`,
}

/** Columns of all persons. */
export const PERSON_COLUMNS: ColumnSet<Actor> = {
  named: {
    actor: { type: 'Object', read: toActorJson },
    id,
    actor_id: id,
    created_at: {
      type: 'DateTime',
      read: ({ person }) => quoted(person.hasProfile ? person.createdAt : null),
      order: () => sql`p.created_at`,
    },
  },
  properties: { 'person.properties': profile, properties: profile },
}

/** Columns of the persons behind a number. */
export const ACTOR_COLUMNS: ColumnSet<Actor> = {
  ...PERSON_COLUMNS,
  named: { ...PERSON_COLUMNS.named, event_count: eventCount },
}

const key: ColumnSpec<GroupActor> = {
  type: 'String',
  read: (group) => quoted(group.key),
  order: (table) => table.sortable(sql`a.person`),
}

const groupProfile = (name: string): ColumnSpec<GroupActor> => ({
  type: 'Object',
  read: (group) => readProperty(group, name),
  order: (table) => table.sortable(table.groupProfileProperty(name)),
})

/** Columns of the groups behind a number. */
export const GROUP_COLUMNS: ColumnSet<GroupActor> = {
  named: {
    actor: { type: 'Object', read: toGroupActorJson },
    id: key,
    actor_id: key,
    created_at: {
      type: 'DateTime',
      read: ({ createdAt }) => quoted(createdAt),
      order: () => sql`g.created_at`,
    },
    event_count: eventCount,
  },
  properties: { 'group.properties': groupProfile, properties: groupProfile },
}

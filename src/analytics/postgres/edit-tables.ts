import { ifColumnIsMissing } from './missing-column.ts'

/**
 * Edits that were restored from a backup of the embedded store have the number of the last event before them, and a
 * position among those with the same number.
 */
const addEditPositions = (table: 'person_edits' | 'group_edits'): string =>
  ifColumnIsMissing(
    table,
    'position',
    `alter table ${table} add column position bigint not null default 0,
      drop constraint ${table}_pkey, add primary key (seq, position);`,
  )

/** Edits share the sequence of the events, so that a rebuild repeats them in order. */
export const EDIT_TABLES = [
  `create table if not exists person_edits (
    seq bigint primary key,
    project_id bigint not null,
    distinct_id text collate "C" not null,
    edit text not null
  )`,
  addEditPositions('person_edits'),
]

export const GROUP_EDIT_TABLES = [
  'create table if not exists group_edits (seq bigint primary key, project_id bigint not null, edit text not null)',
  addEditPositions('group_edits'),
]

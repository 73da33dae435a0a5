import { ifColumnIsMissing } from './missing-column.ts'

/**
 * Edits that were restored from a backup of the embedded store have the number of the last event before them, and a
 * position among those with the same number.
 */
export const addEditPositions = (table: 'person_edits' | 'group_edits'): string =>
  ifColumnIsMissing(
    table,
    'position',
    `alter table ${table} add column position bigint not null default 0,
      drop constraint ${table}_pkey, add primary key (seq, position);`,
  )

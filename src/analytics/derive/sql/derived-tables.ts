import type { DerivedTables } from '../derived-tables.ts'
import { toDeletionTables } from './deletion-tables.ts'
import { toEditTables } from './edit-tables.ts'
import { toGroupTables } from './group-tables.ts'
import { toPersonTables } from './person-tables.ts'
import type { SqlRunner } from './runner.ts'

/** Keeps persons, groups and edits in SQL tables. Its engine numbers, stores and reads events. */
export const toSqlTables = (runner: SqlRunner, copies: readonly string[]) =>
  ({
    persons: toPersonTables(runner, copies),
    groups: toGroupTables(runner),
    ...toEditTables(runner, copies),
    ...toDeletionTables(runner),
  }) satisfies Partial<DerivedTables>

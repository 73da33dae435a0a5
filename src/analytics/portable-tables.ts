import type { Db } from '../db/schema.ts'

/** The columns of a table in a backup, with DuckDB's types. */
type Columns = Readonly<Record<string, string>>

const PERSONS: Columns = {
  project_id: 'bigint',
  number: 'bigint',
  uuid: 'uuid',
  created_at: 'timestamptz',
  has_profile: 'boolean',
  is_identified: 'boolean',
  properties: 'varchar',
}
const PERSON_IDS: Columns = { project_id: 'bigint', distinct_id: 'varchar', person: 'bigint' }
const GROUP_PROFILES: Columns = {
  project_id: 'bigint',
  type_index: 'integer',
  key: 'varchar',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  properties: 'varchar',
}
const EDITS: Columns = {
  project_id: 'bigint',
  after_seq: 'bigint',
  position: 'bigint',
  edit: 'varchar',
}

/**
 * The tables of the event store in a backup, the same from both databases, in the order in which they are restored:
 * facts need persons and groups, so events are last. Everything else in a store is computed from these.
 */
export const PORTABLE_TABLES = {
  persons: PERSONS,
  persons_base: PERSONS,
  person_ids: PERSON_IDS,
  person_ids_base: PERSON_IDS,
  person_bases: { project_id: 'bigint', up_to: 'bigint' },
  person_edits: { ...EDITS, distinct_id: 'varchar' },
  group_types: {
    project_id: 'bigint',
    type_index: 'integer',
    name: 'varchar',
    created_at: 'timestamptz',
  },
  group_profiles: GROUP_PROFILES,
  group_profiles_base: GROUP_PROFILES,
  group_edits: EDITS,
  identity_warnings: {
    project_id: 'bigint',
    type: 'varchar',
    distinct_id: 'varchar',
    other_id: 'varchar',
    created_at: 'timestamptz',
  },
  events: {
    project_id: 'bigint',
    seq: 'bigint',
    uuid: 'uuid',
    event: 'varchar',
    distinct_id: 'varchar',
    timestamp: 'timestamptz',
    properties: 'varchar',
    whole: 'varchar',
    created_at: 'timestamptz',
  },
} as const satisfies Record<string, Columns>

export type PortableTable = keyof typeof PORTABLE_TABLES

export const PORTABLE_TABLE_NAMES = Object.keys(PORTABLE_TABLES) as PortableTable[]

export const columnsOf = (table: PortableTable): string[] => Object.keys(PORTABLE_TABLES[table])

/** The texts whose length decides how many rows go into one Parquet file. */
export const LONG_TEXTS: readonly string[] = ['properties', 'whole', 'edit']

/** The most rows in a Parquet file, and about the most bytes of their texts, so that any part fits into memory. */
export const MAX_PART_ROWS = 50_000
export const MAX_PART_BYTES = 16 * 1024 * 1024

/** A Parquet file with some rows of a table. The caller deletes it. */
export interface Part {
  readonly path: string
  readonly rows: number
}

/** The number of rows of each table. */
export type TableCounts = Readonly<Record<PortableTable, number>>

/** The event store as it was at one moment. */
export interface EventSnapshot {
  readonly counts: TableCounts
  /** Writes the next rows of a table to a file, or returns undefined if there are no more. */
  nextPart(table: PortableTable): Promise<Part | undefined>
  close(): Promise<void>
}

/** A new event store that is being filled from a backup. */
export interface EventRestore {
  /** The parts must be in this folder. */
  readonly partsFolder: string
  /** Adds the rows of a part, or throws if they are not what it says. Tables come in the order of `PORTABLE_TABLES`. */
  add(table: PortableTable, path: string, rows: number): Promise<void>
  /** Completes and closes the store. Throws if it has other rows than were added. */
  finish(): Promise<TableCounts>
  /** Lets others use the store, once the database of its projects is stored. */
  publish(db: Db): Promise<void>
  close(): Promise<void>
}

import type { Columns, Type } from './dialect/types.ts'

interface Column {
  /** Its type in a statement. */
  readonly type: Type
  /** Its type in ClickHouse. */
  readonly stored: string
}

const column = (type: Type, stored: string): Column => ({ type, stored })

const INTEGER = column('integer', 'Int64')
const TEXT = column('text', 'String')
const NAME = column('text', 'LowCardinality(String)')
const NULLABLE_TEXT = column('text', 'Nullable(String)')
const LONG_TEXT = column('text', 'String codec(ZSTD(3))')
/** Milliseconds since 1970, because ClickHouse's own times end in 2299. */
const TIME = column('time', 'Int64')
const UUID = column('uuid', 'UUID')
const BOOLEAN = column('boolean', 'Bool')

/** The columns of ClickHouse's tables. Persons and groups have a row for each version, of which the last counts. */
const TABLES = {
  events: {
    project_id: INTEGER,
    seq: INTEGER,
    uuid: UUID,
    event: NAME,
    distinct_id: TEXT,
    person: INTEGER,
    timestamp: TIME,
    created_at: TIME,
    g0: NULLABLE_TEXT,
    g1: NULLABLE_TEXT,
    g2: NULLABLE_TEXT,
    g3: NULLABLE_TEXT,
    g4: NULLABLE_TEXT,
    properties: LONG_TEXT,
  },
  persons: {
    project_id: INTEGER,
    number: INTEGER,
    uuid: UUID,
    created_at: TIME,
    has_profile: BOOLEAN,
    is_identified: BOOLEAN,
    properties: LONG_TEXT,
  },
  person_ids: { project_id: INTEGER, distinct_id: TEXT, person: INTEGER },
  group_types: { project_id: INTEGER, type_index: INTEGER, name: TEXT, created_at: TIME },
  group_profiles: {
    project_id: INTEGER,
    type_index: INTEGER,
    key: TEXT,
    created_at: TIME,
    updated_at: TIME,
    properties: LONG_TEXT,
  },
  identity_warnings: {
    project_id: INTEGER,
    type: NAME,
    distinct_id: TEXT,
    other_id: NULLABLE_TEXT,
    created_at: TIME,
  },
} as const satisfies Record<string, Readonly<Record<string, Column>>>

export type TableName = keyof typeof TABLES

export const TABLE_NAMES = Object.keys(TABLES) as TableName[]

/** The types of the columns that statements read. */
export const TABLE_COLUMNS: ReadonlyMap<string, Columns> = new Map(
  TABLE_NAMES.map((table) => [
    table,
    new Map(Object.entries<Column>(TABLES[table]).map(([name, { type }]) => [name, type])),
  ]),
)

/** The columns that identify a row of a table with versions. */
const KEYS: Readonly<Record<Exclude<TableName, 'events'>, string>> = {
  persons: 'project_id, number',
  person_ids: 'project_id, distinct_id',
  group_types: 'project_id, type_index',
  group_profiles: 'project_id, type_index, key',
  identity_warnings: 'project_id, created_at, type, distinct_id',
}

/**
 * A month has a partition, so that a query reads the months of its range, and events that are too old are deleted by
 * month. An insert is on disk before ClickHouse answers, and one that is sent again with the same token adds nothing.
 */
const EVENTS_ENGINE = `engine = MergeTree
  partition by toYYYYMM(fromUnixTimestamp64Milli(greatest(least(timestamp, 4102444800000), 0), 'UTC'))
  order by (project_id, intDiv(timestamp, 86400000), event, cityHash64(distinct_id), uuid)
  settings fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000`

const VERSIONS: Readonly<Record<string, Column>> = {
  version: column('integer', 'UInt64'),
  is_deleted: column('integer', 'UInt8'),
}

/** Writes the columns of a table with their types. */
export function toDefinitions(table: TableName): string {
  const columns: Readonly<Record<string, Column>> =
    table === 'events' ? TABLES.events : { ...TABLES[table], ...VERSIONS }
  return Object.entries(columns)
    .map(([name, { stored }]) => `${name} ${stored}`)
    .join(', ')
}

export const CREATE_TABLES: readonly string[] = TABLE_NAMES.map((table) => {
  const engine =
    table === 'events'
      ? EVENTS_ENGINE
      : `engine = ReplacingMergeTree(version, is_deleted) order by (${KEYS[table]})`
  return `create table if not exists ${table} (${toDefinitions(table)}) ${engine}`
})

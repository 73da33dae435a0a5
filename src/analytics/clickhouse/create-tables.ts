import { toDefinitions, VERSIONED_TABLES, type VersionedTable } from './tables.ts'

/** The columns that identify a row of a table with versions. */
const KEYS: Readonly<Record<VersionedTable, string>> = {
  persons: 'project_id, number',
  person_ids: 'project_id, distinct_id',
  group_types: 'project_id, type_index',
  group_profiles: 'project_id, type_index, key',
  identity_warnings: 'project_id, id',
  person_moves: 'project_id, number',
}

/**
 * A month has a partition, so that a query reads the months of its range, and events that are too old are deleted by
 * month. A day's events are together, with those of a name and of an ID.
 */
const EVENTS_ORDER = `
  partition by toYYYYMM(fromUnixTimestamp64Milli(greatest(least(timestamp, 4102444800000), 0), 'UTC'))
  order by (project_id, intDiv(timestamp, 86400000), event, cityHash64(distinct_id), uuid)`

/** An insert is on disk before ClickHouse answers. */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1'

/** The inserts that ClickHouse remembers, so that one that is sent again with the same token adds nothing. */
const REMEMBERED = 10_000

/** The names of the tables of events on one server or on a cluster. */
export interface Layout {
  /** The table that has the events of a server. */
  readonly events: string
  /** Makes a statement that changes tables run on every server. */
  readonly onCluster: string
  readonly cluster: string | undefined
}

export const toLayout = (cluster: string | undefined): Layout => ({
  events: cluster === undefined ? 'events' : 'events_local',
  onCluster: cluster === undefined ? '' : `on cluster ${cluster}`,
  cluster,
})

/** Lists the statements that create what is missing. */
export function toCreateStatements(layout: Layout): string[] {
  const { events, onCluster, cluster } = layout
  return [
    `create table if not exists ${events} ${onCluster} (${toDefinitions('events')})
      engine = ${cluster === undefined ? 'MergeTree' : toReplicated('MergeTree', '{shard}/events')} ${EVENTS_ORDER}
      settings ${DURABLE}, ${cluster === undefined ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window'} = ${REMEMBERED}`,
    ...VERSIONED_TABLES.map(
      (table) => `create table if not exists ${table} ${onCluster} (${toDefinitions(table)})
        engine = ${toVersionedEngine(table, cluster)} order by (${KEYS[table]}) settings ${DURABLE}`,
    ),
    ...(cluster === undefined
      ? []
      : [
          `create table if not exists events ${onCluster} (${toDefinitions('events')})
            engine = Distributed(${cluster}, currentDatabase(), ${events}, cityHash64(distinct_id))`,
        ]),
    // names the installation that the events belong to
    `create table if not exists event_store ${onCluster} (installation String, schema_version UInt32)
      engine = ${toLogEngine(layout, 'event_store')} order by installation`,
  ]
}

/** Every server of a cluster has all persons and groups, so that a join needs no other server. */
function toVersionedEngine(table: VersionedTable, cluster: string | undefined): string {
  const engine = 'ReplacingMergeTree'
  return cluster === undefined
    ? `${engine}(version, is_deleted)`
    : toReplicated(engine, table, ', version, is_deleted')
}

/** The engine of a small table whose rows stay as they are. */
export const toLogEngine = ({ cluster }: Layout, table: string): string =>
  cluster === undefined ? 'MergeTree' : toReplicated('MergeTree', table)

const toReplicated = (engine: string, path: string, others = ''): string =>
  `Replicated${engine}('/clickhouse/tables/{database}/${path}', '{replica}'${others})`

/** Names the table that exists while a restore is not complete. */
export const PROGRESS_TABLE = 'restore_progress'

export const ALL_TABLES: readonly string[] = ['events', ...VERSIONED_TABLES, 'event_store']

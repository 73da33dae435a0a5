/**
 * The schemas of the event stores. They increase when an older version could misread the events: a new table or column
 * does not count.
 */
export const DUCKDB_SCHEMA = 1
export const POSTGRES_SCHEMA = 2
/** The schema of PostgreSQL's tables when ClickHouse has the events, which versions before would miss. */
export const OUTBOX_SCHEMA = 3
export const CLICKHOUSE_SCHEMA = 1

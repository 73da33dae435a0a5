import packageJson from '../../package.json' with { type: 'json' }
import { DUCKDB_SCHEMA, POSTGRES_SCHEMA } from '../analytics/schema-versions.ts'
import { MIGRATIONS } from '../db/migrate.ts'
import { findCommit } from './commit.ts'

/** The first line is the version alone, for scripts. */
export const describeVersion = (): string =>
  [packageJson.version, `commit ${findCommit()}`, `schema ${describeSchema()}`].join('\n')

export const describeSchema = (): string =>
  `${MIGRATIONS.at(-1)?.name}, events ${DUCKDB_SCHEMA} (DuckDB) or ${POSTGRES_SCHEMA} (PostgreSQL)`

import { sql } from 'kysely'

/**
 * The partition of a window over all rows. `over ()` makes DuckDB 1.5.5 fail or crash now and then if a thread has found
 * no rows (duckdb#25713); the plan of a partition does not.
 */
export const ALL_ROWS = sql`partition by 1`

/**
 * What DuckDB's allocator has free goes back to the system at once, and not after a second: 20 MB less while an app
 * imports. The library reads this when it is loaded, so nobody loads it by itself.
 */
const ALLOCATOR = 'dirty_decay_ms:0,muzzy_decay_ms:0'

export function loadDuckDb() {
  process.env.DUCKDB_JE_MALLOC_CONF = ALLOCATOR
  return import('@duckdb/node-api')
}

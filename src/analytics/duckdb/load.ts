import { setImmediate as nextTurn } from 'node:timers/promises'

/** Parts of the package that load a quarter of it each: the library itself, then its types, then its vectors. */
const PARTS = ['version', 'DuckDBLogicalType', 'DuckDBVector']

export type DuckDb = typeof import('@duckdb/node-api')

let loaded: DuckDb | undefined

/** Loads DuckDB at its first use, because it takes 40 MB. In several turns of the event loop, because it takes 70 ms. */
export async function loadDuckDb(): Promise<DuckDb> {
  if (loaded) return loaded
  for (const part of PARTS) {
    await import(`@duckdb/node-api/lib/${part}.js`)
    await nextTurn()
  }
  const duckdb = await import('@duckdb/node-api')
  await nextTurn()
  loaded = duckdb
  return duckdb
}

import type { DuckDBConnection } from '@duckdb/node-api'
import { quote } from '../duckdb/facts.ts'
import { readRows } from '../duckdb/read-rows.ts'
import { MAX_PART_ROWS, PORTABLE_TABLES, type PortableTable } from '../portable-tables.ts'

/** `createPartWriter` ends a part after the group of rows that fills it. */
const MAX_ROWS = 2 * MAX_PART_ROWS
/** Far more than the texts of a part that a backup writes. A compressed file can promise any number. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024

/** DuckDB's names of the types in `PORTABLE_TABLES`. */
const TYPE_NAMES: Record<string, string> = { timestamptz: 'TIMESTAMP WITH TIME ZONE' }

/** The range of numbers that JavaScript reads exactly, and of times that events can have. */
const IN_RANGE: Record<string, (name: string) => string> = {
  bigint: (name) => `${name} between -9007199254740991 and 9007199254740991`,
  timestamptz: (name) => `${name} between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59.999999Z'`,
}

const JSON_TEXTS: Record<string, (name: string) => string> = {
  properties: (name) => `case when json_valid(${name}) then json_type(${name}) = 'OBJECT' end`,
  whole: (name) => `case when json_valid(${name}) then json_type(${name}) = 'OBJECT' end`,
  edit: (name) => `json_valid(${name})`,
}

/** Reads the rows of a Parquet file. Folders named `a=b` would otherwise become columns. */
export const fromPart = (path: string): string =>
  `read_parquet(${quote(path)}, hive_partitioning = false)`

/**
 * Throws unless a Parquet file has the columns of a table, as many rows as the manifest says, and values that the store
 * could have written. Counts rows and texts before anything copies them.
 */
export async function requirePart(
  connection: DuckDBConnection,
  table: PortableTable,
  path: string,
  rows: number,
): Promise<void> {
  if (rows > MAX_ROWS) throw new Error(`it has more than ${MAX_ROWS} rows`)
  const columns = Object.entries<string>(PORTABLE_TABLES[table])
  await requireColumns(connection, columns, path)
  const [count] = await readRows<[number]>(
    connection,
    `select count(*)::double from ${fromPart(path)}`, // of the footer: reads no row
  )
  if (count?.[0] !== rows) throw new Error(`it does not have ${rows} rows`)
  const texts = columns.filter(([, type]) => type === 'varchar').map(([name]) => name)
  const size = ['0', ...texts.map((name) => `coalesce(strlen(${name}), 0)`)].join(' + ')
  const [sum] = await readRows<[number]>(
    connection,
    `select coalesce(sum(${size}), 0)::double from ${fromPart(path)}`,
  )
  if (Number(sum?.[0]) > MAX_TEXT_BYTES) throw new Error('its texts are too large')
  await requireValues(connection, columns, path)
}

async function requireColumns(
  connection: DuckDBConnection,
  columns: readonly (readonly [string, string])[],
  path: string,
): Promise<void> {
  const described = await readRows<[string, string]>(
    connection,
    `describe select * from ${fromPart(path)}`,
  )
  const found = new Map(described.map(([name, type]) => [name, type]))
  const wrong = columns.find(
    ([name, type]) => found.get(name) !== (TYPE_NAMES[type] ?? type.toUpperCase()),
  )
  if (wrong) throw new Error(`it has no column ${wrong[0]} of type ${wrong[1]}`)
}

async function requireValues(
  connection: DuckDBConnection,
  columns: readonly (readonly [string, string])[],
  path: string,
): Promise<void> {
  const rules = columns.flatMap(([name, type]) => {
    const rule = IN_RANGE[type]?.(name) ?? JSON_TEXTS[name]?.(name)
    return rule ? [{ name, rule: `bool_and(${name} is null or coalesce(${rule}, false))` }] : []
  })
  const [row] = await readRows<(boolean | null)[]>(
    connection,
    `select ${rules.map(({ rule }) => rule).join()} from ${fromPart(path)}`,
  )
  const wrong = rules.find((_, index) => row?.[index] === false)
  if (wrong) throw new Error(`it has a value of ${wrong.name} that no event store has`)
}

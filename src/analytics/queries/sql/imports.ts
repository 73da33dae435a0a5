import { sql } from 'kysely'
import type { Sql } from '#server/analytics/event-table.ts'
import { findUnused } from '../cohorts.ts'
import type { Type } from './types.ts'

/** The columns of the table `import_configs`, in the order of the rows. */
export const IMPORT_CONFIG_COLUMNS = {
  id: 'Integer',
  name: 'String',
  app: 'String',
  enabled: 'Boolean',
  state: 'String',
  since: 'DateTime',
  message: 'String',
  last_success_at: 'DateTime',
  next_run_at: 'DateTime',
  failures_in_a_row: 'Integer',
  created_at: 'DateTime',
} as const satisfies Readonly<Record<string, Type>>

/** The columns of the table `import_runs`. */
export const IMPORT_RUN_COLUMNS = {
  id: 'String',
  config_id: 'Integer',
  name: 'String',
  state: 'String',
  message: 'String',
  created_at: 'DateTime',
  started_at: 'DateTime',
  finished_at: 'DateTime',
  events: 'Integer',
  new_events: 'Integer',
  skipped: 'Integer',
  attempt: 'Integer',
} as const satisfies Readonly<Record<string, Type>>

export type ImportRow<Columns> = Readonly<Record<keyof Columns, string | number | boolean | null>>

/** The rows of a project's import tables, which the database of events does not have. */
export interface ImportRows {
  readonly configs: readonly ImportRow<typeof IMPORT_CONFIG_COLUMNS>[]
  readonly runs: readonly ImportRow<typeof IMPORT_RUN_COLUMNS>[]
}

/** Tells whether a text may name one of the tables. */
export const mentionsImports = (text: string): boolean => /import_(runs|configs)/i.test(text)

interface GivenTable {
  /** The source of a FROM, as `r`, with a text for each row. */
  readonly source: Sql
  readonly separator: string
}

/** Passes any number of rows as one value, as texts: PostgreSQL takes at most 65,535. */
export function toGivenTable(
  columns: Readonly<Record<string, Type>>,
  rows: readonly Readonly<Record<string, unknown>>[],
): GivenTable {
  const names = Object.keys(columns)
  const cells = rows.map((row) => names.map((name) => toCell(row[name], columns[name])))
  const separator = findUnused(cells.flat())
  const lines = cells.map((row) => row.join(separator))
  const newLine = findUnused(lines)
  const list = sql`unnest(string_to_array(${lines.join(newLine)}::text, ${newLine}::text))`
  return {
    source: sql`(select l.line from (select ${list} as line) l where l.line <> '') r`,
    separator,
  }
}

function toCell(value: unknown, type: Type | undefined): string {
  if (value === null || value === undefined) return ''
  if (type === 'DateTime') return String(Date.parse(String(value)))
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

/** Selects a column of a given table. */
export function selectGiven(separator: Sql, position: number, type: Type): Sql {
  const text = sql`split_part(r.line, ${separator}, ${sql.lit(position)})`
  if (type === 'String') return text
  if (type === 'Boolean') return sql`(${text} = '1')`
  const number = sql`nullif(${text}, '')::double precision`
  return type === 'DateTime' ? sql`to_timestamp(${number} / 1000)` : sql`(${number})::bigint`
}

import type { Sql } from '#server/analytics/event-table.ts'

/** `time` is given in milliseconds since 1970, `json` as text. */
export type GivenType = 'bigint' | 'integer' | 'boolean' | 'text' | 'time' | 'json'
export type GivenValue = number | boolean | string | null

/** A transaction of an engine that keeps persons and groups in SQL tables, and what these engines do differently. */
export interface SqlRunner {
  /** Numbers in the rows must be `double precision`. */
  run<Row>(statement: Sql): Promise<readonly Row[]>
  /** Makes rows the source of a FROM, with a name. A source of the same name replaces it. */
  given(
    name: string,
    columns: Readonly<Record<string, GivenType>>,
    rows: readonly (readonly GivenValue[])[],
  ): Promise<Sql>
  /** Converts a time to a number of milliseconds since 1970. */
  toMilliseconds(time: Sql): Sql
  /** Reads a property from a column of JSON objects, as text. */
  propertyText(properties: Sql, key: string): Sql
  /** Returns numbers for new persons. */
  takeNumbers(count: number): Promise<readonly number[]>
  /** The column of the number of an edit, and its next position among edits with the same number. */
  readonly edits: { readonly seq: Sql; readonly position: Sql }
}

import type { RawBuilder } from 'kysely'
import type { Explain } from './plan-step.ts'
import type { Strategy } from './strategy.ts'

/** A piece of SQL with its values, in the common dialect of PostgreSQL and DuckDB. */
export type Sql = RawBuilder<unknown>

/**
 * A project's deduplicated events as a statement sees them. Contains everything that the databases spell differently,
 * so that a query is written once.
 */
export interface EventTable {
  /** The source of a FROM, always as `e`: `from ${table.rows} e`. Columns: uuid, event, distinct_id, person, timestamp. */
  readonly rows: Sql
  /** Milliseconds since 1970 of `e.timestamp`, as a bigint. */
  readonly milliseconds: Sql
  /** Converts a time to milliseconds since 1970. */
  toMilliseconds(time: Sql): Sql
  /** A property of `e` as text; null when it is absent or null. Only of required properties. */
  property(key: string): Sql
  /** The source of a FROM, always as `p`: persons with a profile. Columns: number, uuid, created_at, is_identified. */
  readonly persons: Sql
  /** Like `persons`, but also those without a profile, whose `has_profile` is false. */
  readonly allPersons: Sql
  /** A property of `p` as text; null when it is absent or null. */
  profileProperty(key: string): Sql
  /** A string property of `p`, read three times as fast. Other types may be formatted differently. */
  profileString(key: string): Sql
  /** The source of a FROM, always as `i`: the IDs of persons. Columns: distinct_id, person. */
  readonly personIds: Sql
  /** The source of a FROM, always as `w`: refused changes of persons. Columns: type, distinct_id, other_id, created_at. */
  readonly warnings: Sql
  /** Today's property of the person of `e` as text, like `property`. */
  personProperty(key: string): Sql
  /** A property of the session of `e` as text; null if it has none. Only of required properties. */
  sessionProperty(key: string): Sql
  /** The uuid of the person of `e` as text, with or without a profile. Only if required. */
  readonly personUuid: Sql
  /** The key of the group of `e` of a type; null if it has none. Only of required types. */
  groupKey(index: number): Sql
  /** Today's property of the group of `e` as text, like `property`. */
  groupProperty(column: GroupProperty): Sql
  /** The source of a FROM, always as `g`: groups. Columns: type_index, key, created_at, updated_at, properties. */
  readonly groups: Sql
  /** A property of `g` as text; null when it is absent or null. */
  groupProfileProperty(key: string): Sql
  /** The source of a FROM, always as `t`: types of groups. Columns: type_index, name, created_at. */
  readonly groupTypes: Sql
  /** The number that a text is, or null. */
  toNumber(text: Sql): Sql
  /** Whether a text matches a pattern of LIKE, in which \ precedes a character that stands for itself. */
  like(text: Sql, pattern: string): Sql
  /** Whether a text matches a regular expression somewhere. */
  matches(text: Sql, pattern: string): Sql
  /** Converts text of any script to lower case, regardless of the database's locale. */
  lower(text: Sql): Sql
  /** Computes with two bigints. A result that is no bigint is an error. */
  compute(left: Sql, operator: '+' | '-' | '*', right: Sql): Sql
  /** Divides two bigints that are not negative and drops the remainder. */
  divide(dividend: Sql, divisor: Sql): Sql
  /** Counts the bits that are set in a bigint that is not negative. */
  countBits(number: Sql): Sql
  readonly strategy: Strategy
  /** Whether the driver holds all rows of a statement in memory, so that the statement has to limit them. */
  readonly readsAllRows: boolean
  /** Asks the engine what it did. */
  readonly explain: Explain
  /** Makes text sort by its bytes, regardless of the database's locale. */
  sortable(text: Sql): Sql
}

/** The session properties that a statement reads. */
export interface SessionReading {
  readonly keys: readonly string[]
  /** The time of the events whose sessions are read. Default: all. */
  readonly span?: TimeSpan | undefined
}

/** A start and an exclusive end, in seconds since 1970. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** A property of the groups of a type. */
export interface GroupProperty {
  readonly index: number
  readonly key: string
}

/** A value of a result; statements cast other types. */
export type Cell = string | number | boolean | null
export type StatementRow = Readonly<Record<string, Cell>>

/** The columns that a statement reads, and the effort of planning it. */
export type RequiredColumns = Omit<EventQuery, 'toSql' | 'timeoutMs' | 'signal' | 'maxTextLength'>

export interface EventQuery {
  /** The properties that the statement reads; the store materializes those that are read often. */
  readonly properties: readonly string[]
  /** The properties of persons that the statement reads. */
  readonly personProperties?: readonly string[]
  /** Whether the statement reads the uuids of persons. */
  readonly personUuid?: boolean
  /** The types of groups whose keys the statement reads. */
  readonly groupKeys?: readonly number[]
  /** The properties of groups that the statement reads. */
  readonly groupProperties?: readonly GroupProperty[]
  readonly sessions?: SessionReading | undefined
  readonly toSql: (table: EventTable) => Sql
  readonly timeoutMs?: number
  /** The effort of planning a user's SQL. Undefined for statements that are not a user's. */
  readonly effort?: number | undefined
  /** Stops the statement. */
  readonly signal?: AbortSignal | undefined
  /** The number of characters that all rows together may have. */
  readonly maxTextLength?: number
}

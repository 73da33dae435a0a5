import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import type { Direction } from './order.ts'
import type { Node, ParsedQuery } from './tree.ts'
import type { Expression, Type } from './types.ts'

/** The state of compiling one statement. */
export interface CompileContext extends Compilers {
  readonly zone: string
  readonly now: Date
  /** The keys of properties that the statement asks for. */
  readonly properties: Set<string>
  /** A name that nobody else has. Users' names never reach the database. */
  nextName(prefix: string): string
  /** Counts what is compiled, also when an alias is compiled again wherever it is used. */
  nested<T>(compile: () => T): T
}

/** Expressions hold queries and these hold expressions: each finds the other here. */
export interface Compilers {
  compileExpression(node: Node, scope: NameScope): Expression
  /** The outermost query's window is given, as it is not only the text that decides on it. */
  compileQuery(node: ParsedQuery, outside: Outside, outermost?: Window): CompiledQuery
}

export interface Column {
  /** The name that users know. */
  readonly name: string
  readonly type: Type
  /** Equal for the same column of the same table, however it is written. */
  readonly id: string
  /** Notes that it is used, so that a table shows only what is. */
  use(): Expression
}

/** A table of a FROM. */
export interface Relation {
  readonly name: string | undefined
  readonly columns: readonly Column[]
  /** Only of events. */
  readonly property?: (key: string) => Column
  /** Names that a USING gave to the table on its left. */
  readonly merged: Set<string>
}

export interface Cte {
  readonly name: string
  readonly query: CompiledQuery
}

/** Above a GROUP BY rows are gone: there are keys, and aggregates whose arguments were computed below. */
export interface Grouping {
  readonly keys: ReadonlyMap<string, Expression>
  readonly rows: NameScope
  /** Computes something for each row; what comes back stands for it above. */
  addArgument(argument: Expression): Expression
}

export interface NameScope {
  readonly context: CompileContext
  readonly relations: readonly Relation[]
  readonly ctes: ReadonlyMap<string, Cte>
  /** Aliases of the SELECT, for its other clauses. */
  readonly aliases: ReadonlyMap<string, Node>
  readonly parent?: NameScope | undefined
  readonly grouping?: Grouping | undefined
  readonly allowsWindows?: boolean
}

/** The surroundings of a query. */
export interface Outside {
  readonly context: CompileContext
  readonly ctes: ReadonlyMap<string, Cte>
  /** The outer query, whose columns it may use. */
  readonly parent?: NameScope
}

export interface ResultColumn {
  readonly name: string
  readonly type: Type
}

/** Its columns are called c1, c2 and so on. */
export interface CompiledQuery {
  readonly columns: readonly ResultColumn[]
  readonly isOneRow: boolean
  readonly weight: number
  render(table: EventTable, write?: (column: Sql, type: Type) => Sql): Sql
}

/** A query before its order and limit. */
export interface CompiledBody {
  readonly columns: readonly ResultColumn[]
  readonly render: (table: EventTable) => Sql
  readonly weight: number
  readonly orders: readonly (Direction & { readonly column: string; readonly type: Type })[]
  /** The column that says which rows stay. */
  readonly filter?: string
  /** All rows are there before the first one is: sorting them costs little more. */
  readonly isGathered: boolean
  readonly isOneRow: boolean
}

export interface Window {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

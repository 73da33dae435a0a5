import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import type { CohortSets } from '../cohort-definitions.ts'
import type { ColumnRef } from '../columns.ts'
import type { ImportRows } from './imports.ts'
import type { Direction } from './order.ts'
import type { PlanSize } from './size.ts'
import type { Node, ParsedQuery } from './tree.ts'
import type { Expression, Type } from './types.ts'

/** The state of compiling one statement. */
export interface CompileContext extends Compilers {
  readonly zone: string
  readonly now: Date
  /** The columns that the statement reads, and that the store must provide. */
  readonly columns: ColumnRef[]
  /** The condition of `{filters}`. */
  readonly filters: EventFilters
  /** The actions that the text names. */
  readonly actions: readonly ActionMatch[]
  /** The cohorts that the text names. */
  readonly cohorts: CohortSets
  /** The rows of the import tables, if the text may name them. */
  readonly imports: ImportRows | undefined
  /** Generates a unique name. Users' names never reach the database. */
  nextName(prefix: string): string
  /** Adds to the characters of each row that functions join or search, and refuses too many. */
  spendText(work: TextWork, characters: number): void
  /** Counts an aggregate of distinct values, and refuses too many. */
  countDistinct(): void
  /** Counts compiled nodes, including those of an alias at each use, and refuses too many. */
  nested<T>(compile: () => T): T
}

/** Functions whose time and memory depend on the length of texts. */
export type TextWork = 'joins' | 'searches'

/** A condition on events `e`, and the columns that it reads. */
export interface EventFilters {
  readonly columns: readonly ColumnRef[]
  matches(table: EventTable): Sql
}

/** An action that a text names, with the condition that its events meet. */
export interface ActionMatch extends EventFilters {
  readonly id: number
  readonly name: string
  /** The name of the column that holds the condition. Users cannot write it. */
  readonly column: string
  readonly hasSteps: boolean
  readonly size: PlanSize
}

/** Passes the compilers to each other: expressions contain queries and queries contain expressions. */
export interface Compilers {
  compileExpression(node: Node, scope: NameScope): Expression
  /** The limit and offset of the outermost query are given, because the request sets them too. */
  compileQuery(node: ParsedQuery, outer: OuterScope, outermost?: LimitOffset): CompiledQuery
}

export interface Column {
  /** The name in the user's query. */
  readonly name: string
  readonly type: Type
  /** Equal for the same column of the same table, however the query spells it. */
  readonly id: string
  /** Marks the column as used; tables select only used columns. */
  use(): Expression
}

/** A table in FROM. */
export interface Relation {
  readonly name: string | undefined
  readonly columns: readonly Column[]
  /** Reads `properties.<key>` of events and persons. */
  readonly property?: ((key: string) => Column) | undefined
  /** Reads `person.properties.<key>` of events. */
  readonly personProperty?: ((key: string) => Column) | undefined
  /** Columns that `*` leaves out: the groups of events, `{filters}` and actions. */
  readonly hidden?: readonly Column[]
  /** Columns that USING merged into this table. */
  readonly merged: Set<string>
}

/** The joins and the nesting of a query. */
export interface Shape {
  /** The number of tables whose joins are planned together, those of plain subqueries included. */
  readonly tables: number
  /** The depth of queries inside each other, by FROM or by names of WITH. */
  readonly levels: number
}

/** A table or a join in FROM. */
export interface From extends Shape {
  readonly relations: readonly Relation[]
  readonly render: (table: EventTable) => Sql
  readonly size: PlanSize
  /** Whether it is the table of events and nothing else. */
  readonly isEvents?: boolean
}

/** A query that WITH names. */
export interface Cte {
  readonly name: string
  readonly query: CompiledQuery
  /** Says that its planning costs so much that it is planned alone, once. */
  readonly isFenced: boolean
  /** Counts the references to the name. */
  uses: number
}

/** After GROUP BY there are keys and aggregates instead of rows; the inner query computed their arguments. */
export interface Grouping {
  readonly keys: ReadonlyMap<string, Expression>
  readonly rows: NameScope
  /** Adds the arguments to the inner query and returns the value of the group. */
  addAggregate(call: AggregateCall): Expression
}

/** An aggregate of a group's rows. */
export interface AggregateCall {
  readonly type: Type
  readonly args: readonly Expression[]
  readonly condition?: Expression | undefined
  readonly write: (table: EventTable, ...args: Sql[]) => Sql
  readonly cast?: Sql
  /** Whether it counts distinct values. */
  readonly isDistinct?: boolean
  /** Merges the values of parts of the group. Absent if the value cannot be computed from those of parts. */
  readonly merge?: (values: Sql) => Sql
}

export interface NameScope {
  readonly context: CompileContext
  readonly relations: readonly Relation[]
  readonly ctes: ReadonlyMap<string, Cte>
  /** Aliases of the SELECT, for its other clauses. */
  readonly aliases: ReadonlyMap<string, Node>
  /** The aliased expressions that are being compiled. Inside its own expression, an alias is no name. */
  readonly expanding?: readonly Node[]
  readonly parent?: NameScope | undefined
  readonly grouping?: Grouping | undefined
  readonly allowsWindows?: boolean
}

/** The context of a query inside another one. */
export interface OuterScope {
  readonly context: CompileContext
  readonly ctes: ReadonlyMap<string, Cte>
  /** The outer query, whose columns can be used. */
  readonly parent?: NameScope
}

export interface ResultColumn {
  readonly name: string
  readonly type: Type
  /** The size of a reference to it: PostgreSQL replaces it by its expression, unless that is computed first. */
  readonly size: PlanSize
  /** The number of characters of a text, at most. */
  readonly longest: number
}

/** A query whose columns are named c1, c2 and so on. */
export interface CompiledQuery extends Shape {
  readonly columns: readonly ResultColumn[]
  readonly isOneRow: boolean
  readonly size: PlanSize
  render(table: EventTable, write?: (column: Sql, type: Type) => Sql): Sql
}

/** A query before its order and limit. */
export interface CompiledBody extends Shape {
  readonly columns: readonly ResultColumn[]
  readonly render: (table: EventTable) => Sql
  readonly size: PlanSize
  readonly orders: readonly (Direction & { readonly column: string; readonly type: Type })[]
  /** The condition that decides which rows are kept. */
  readonly filter?: string
  /** Says that every row is computed before the first is returned, so that sorting costs little more. */
  readonly isGathered: boolean
  readonly isOneRow: boolean
}

export interface LimitOffset {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

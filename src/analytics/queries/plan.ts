import type { CommonFields, Properties } from '#model/query-kinds/common.schema.ts'
import type { EventStore } from '../event-store.ts'
import type { EventTable, RequiredColumns, Sql, StatementRow } from '../event-table.ts'
import { MAX_RESULT_LENGTH } from '../query-errors.ts'
import type { ColumnRef } from './columns.ts'
import { and, columnsIn, type FilterContext, matches } from './filters.ts'

/** The project's settings and the time with which a query is compiled. */
export interface Context extends FilterContext {
  /** Filters that exclude the team's own accounts, for queries that set `filterTestAccounts`. */
  readonly testAccountFilters: Properties
  /** Names the query in error messages: `query` or `query__source`. */
  readonly attr: string
}

/** Statements that can run concurrently, and a function that converts their rows to a result. */
export interface Plan<Result = unknown> extends RequiredColumns {
  readonly statements: readonly ((table: EventTable) => Sql)[]
  toResult(rowsOfStatements: readonly (readonly StatementRow[])[]): Promise<Result>
}

export interface PlanRun {
  readonly store: Pick<EventStore, 'query'>
  readonly projectId: number
  readonly timeoutMs?: number
  /** Stops the statements. */
  readonly signal?: AbortSignal
}

export async function runPlan<Result>(
  { store, projectId, timeoutMs, signal }: PlanRun,
  { statements, toResult, ...required }: Plan<Result>,
): Promise<Result> {
  const run = (toSql: (typeof statements)[number]) =>
    store.query(projectId, {
      ...required,
      toSql,
      signal,
      maxTextLength: MAX_RESULT_LENGTH,
      ...(timeoutMs && { timeoutMs }),
    })
  return toResult(await Promise.all(statements.map(run)))
}

/** Matches the filters that all series of a query share. */
export function matchesCommonFilters(
  table: EventTable,
  query: CommonFields,
  context: Context,
): Sql {
  return and([
    ...(query.properties
      ? [matches(table, query.properties, context, `${context.attr}__properties`)]
      : []),
    ...(query.filterTestAccounts
      ? [matches(table, context.testAccountFilters, context, 'test_account_filters')]
      : []),
  ])
}

export const commonColumns = (query: CommonFields, context: Context): ColumnRef[] => [
  ...columnsIn(query.properties),
  ...(query.filterTestAccounts ? columnsIn(context.testAccountFilters) : []),
]

/** Rounds to 12 digits, because sums of the same numbers differ in their last digits by the order of addition. */
export function toNumber(value: unknown): number {
  const number = Number(value ?? 0)
  const isShort = Number.isInteger(number) && Math.abs(number) < 1e12
  return isShort ? number || 0 : Number(number.toPrecision(12)) // 0 instead of -0
}

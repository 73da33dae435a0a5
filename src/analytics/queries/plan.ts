import type { CommonFields, Properties } from '#model/query-kinds/common.schema.ts'
import type { EventStore } from '../event-store.ts'
import type { EventTable, Row, Sql } from '../event-table.ts'
import { and, matches, propertiesIn } from './filters.ts'
import type { Calendar } from './parse-date.ts'

/** What a query is compiled with besides itself. */
export interface Context extends Calendar {
  /** What leaves out people of the team, when a query says so. */
  readonly testAccountFilters: Properties
  /** Where the query stands in what the caller sent, for messages: `query` or `query__source`. */
  readonly attr: string
}

/** Statements that can be run in any order or at once, and what becomes of their rows. */
export interface Plan<Result = unknown> {
  readonly properties: readonly string[]
  readonly statements: readonly ((table: EventTable) => Sql)[]
  toResult(answers: readonly (readonly Row[])[]): Result
}

export interface PlanRun {
  readonly store: Pick<EventStore, 'query'>
  readonly projectId: number
  readonly timeoutMs?: number
}

export async function runPlan<Result>(
  { store, projectId, timeoutMs }: PlanRun,
  { properties, statements, toResult }: Plan<Result>,
): Promise<Result> {
  const run = (toSql: (typeof statements)[number]) =>
    store.query(projectId, { properties, toSql, ...(timeoutMs && { timeoutMs }) })
  return toResult(await Promise.all(statements.map(run)))
}

/** The conditions that every series of a query shares. */
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

export const commonProperties = (query: CommonFields, context: Context): string[] => [
  ...propertiesIn(query.properties),
  ...(query.filterTestAccounts ? propertiesIn(context.testAccountFilters) : []),
]

/** Sums of the same numbers differ in their last digits by the order in which they were added. */
export const toNumber = (value: unknown): number => Number(Number(value ?? 0).toPrecision(12))

import { sql } from 'kysely'
import type { Sql } from './event-table.ts'

/** The numbers of one statement, as far as they decide how to compute them. */
export interface Workload {
  /** The number of distinct counts. */
  readonly distinct: number
  /** Whether all other numbers can be merged from those of parts of the rows. */
  readonly canMerge: boolean
  /** The intervals by which a trend groups its events. Undefined if they cannot be listed. */
  readonly intervals?: IntervalAggregation | undefined
}

interface IntervalAggregation {
  readonly count: number
  /** Whether all events have the same name. */
  readonly isNamed: boolean
  readonly hasFilters: boolean
  /** Whether all numbers are numbers of events. */
  readonly areTotals: boolean
}

/**
 * `plain` groups all events at once, `byParts` groups by the distinct value first, `perInterval` reads one interval
 * after the other, and `unite` has a subquery for each interval.
 */
export type AggregationMethod = 'plain' | 'byParts' | 'perInterval' | 'unite'

/** An engine's choices among statements that have the same result. */
export interface Strategy {
  aggregate(aggregation: Workload): AggregationMethod
  /** Whether comparing `e.timestamp` with the starts of intervals is faster than arithmetic on its milliseconds. */
  readonly comparesTimes: boolean
  /** Whether reading events twice is faster than keeping them in memory, if the statement names them and has no filters. */
  readonly rereads: boolean
  /** Whether the steps of a funnel are found in lists with `listed_steps` and `furthest_attempt`, because planning many subqueries takes long. */
  readonly findsStepsInLists: boolean
  /** Ends a subquery whose columns the engine would otherwise compute again at each use. */
  readonly fence: Sql
  /** Conditions of which every row meets exactly one, by its value; an engine may group each part in its own process. */
  parts(value: Sql, type: 'number' | 'text'): readonly Sql[]
}

/** The strategy of an engine that plans the plain statement well. */
export const PLAIN: Strategy = {
  aggregate: () => 'plain',
  comparesTimes: false,
  rereads: false,
  findsStepsInLists: false,
  fence: sql``,
  parts: () => [sql`true`],
}

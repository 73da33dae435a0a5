import { sql } from 'kysely'
import { displayOf, TREND_DISPLAYS } from '#model/displays.ts'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import type { Breakdown } from '../breakdown.ts'
import { toBucketIndex } from '../bucket-index.ts'
import type { TimeRange } from '../dates.ts'
import { and, matchesNode } from '../filters.ts'
import { type Context, matchesCommonFilters } from '../plan.ts'
import type { Aggregation } from './aggregation.ts'
import type { NamedFormula } from './formula.ts'

/** A trend query after parsing. */
export interface Trend {
  readonly query: TrendsQuery
  readonly context: Context
  readonly series: readonly Series[]
  /** The current period, and the one that it is compared with. */
  readonly periods: readonly TimeRange[]
  readonly breakdown: Breakdown | undefined
  /** One number for the whole period instead of one for each interval. */
  readonly isAggregated: boolean
  /** With formulas, the first series chooses the breakdown values for all, so that each formula has them. */
  readonly formulas: readonly NamedFormula[]
}

export interface Series {
  readonly index: number
  readonly node: EventsNode
  readonly aggregation: Aggregation
  readonly attr: string
}

/** The numbers of a series in a period, of all events or of those with a value. */
export interface TrendLine {
  readonly series: number
  readonly period: number
  readonly value: string | undefined
  /** The rank among the values, from 1. */
  readonly place: number
  /** One number per interval, or a single one. */
  readonly data: number[]
}

/** A statement of the plan, and what its rows mean. */
export interface Statement {
  toSql(table: EventTable): Sql
  toLines(rows: readonly StatementRow[]): Promise<TrendLine[]>
}

export const matchesSeries = (
  table: EventTable,
  { query, context, breakdown }: Trend,
  { node, attr, aggregation }: Series,
): Sql =>
  and([
    matchesCommonFilters(table, query, context),
    matchesNode(table, node, context, attr),
    // a value that no group has is not shown
    ...(breakdown && node.math === 'unique_group' ? [aggregation.isCounted(table)] : []),
  ])

export const toBucket = (table: EventTable, { isAggregated }: Trend, range: TimeRange): Sql =>
  isAggregated ? sql`0` : toBucketIndex(table, range)

export const toZeros = ({ isAggregated }: Trend, range: TimeRange): number[] =>
  Array(isAggregated ? 1 : range.buckets.length).fill(0)

export const isCumulative = ({ query }: Pick<Trend, 'query'>): boolean =>
  displayOf(TREND_DISPLAYS, query).cumulative ?? false

/** Returns the sum of the numbers up to each one. */
export function cumulate(data: readonly number[]): number[] {
  let sum = 0
  return data.map((number) => {
    sum += number
    return sum
  })
}

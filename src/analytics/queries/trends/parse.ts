import { displayOf, TREND_DISPLAYS } from '#model/displays.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { RequiredColumns, TimeSpan } from '#server/analytics/event-table.ts'
import { parseBreakdown } from '../breakdown.ts'
import { type ColumnRef, toRequired } from '../columns.ts'
import { nodeColumns } from '../filters.ts'
import { resolvePeriods, spanOf } from '../periods.ts'
import { type Context, commonColumns } from '../plan.ts'
import { aggregationColumns, mathOf, toAggregation } from './aggregation.ts'
import { withBoxes } from './boxes.ts'
import { parseFormulas } from './formula.ts'
import { toScannedRanges } from './rolling-window.ts'
import type { Series, Trend } from './trend.ts'

export function parseTrend(given: TrendsQuery, context: Context): Trend {
  const { aggregates = false, breakdownLimit, form } = displayOf(TREND_DISPLAYS, given)
  const query = form === 'box' ? withBoxes(given, context.attr) : given
  const attr = `${context.attr}__breakdownFilter`
  return {
    query,
    context,
    formulas: parseFormulas(query, context.attr),
    series: query.series.map((node, index) => parseSeries(node, index, context)),
    periods: resolvePeriods(query, context),
    breakdown: parseBreakdown(query.breakdownFilter, context, attr, breakdownLimit),
    isAggregated: aggregates,
  }
}

function parseSeries(node: TrendsQuery['series'][number], index: number, context: Context): Series {
  const attr = `${context.attr}__series__${index}`
  return { index, node, attr, aggregation: toAggregation(node, attr) }
}

/** Lists what statements over these trends read. */
export const requireTrends = (trends: readonly Trend[]): RequiredColumns =>
  toRequired(trends.flatMap(listColumns), toSpan(trends))

/** Returns no span if it matters which event is a person's first. */
function toSpan(trends: readonly Trend[]): TimeSpan | undefined {
  const isFirst = trends.some(({ series }) =>
    series.some(({ node }) => mathOf(node) === 'first_time_for_user'),
  )
  if (isFirst) return undefined
  return spanOf(
    trends.flatMap((trend) => trend.series.flatMap((series) => toScannedRanges(trend, series))),
  )
}

const listColumns = ({ query, context, breakdown }: Trend): ColumnRef[] => [
  ...commonColumns(query, context),
  ...query.series.flatMap((node) => [...nodeColumns(node), ...aggregationColumns(node)]),
  ...(breakdown?.by ?? []),
]

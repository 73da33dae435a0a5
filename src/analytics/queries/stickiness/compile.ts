import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import type { StickinessSeries } from '#model/query-results.ts'
import type { Row } from '#server/analytics/event-table.ts'
import { type Range, toEarlier, toPrevious, toRange } from '../dates.ts'
import { propertiesIn } from '../filters.ts'
import { toAction, toSeriesTitle } from '../labels.ts'
import { type Context, commonProperties, type Plan, toNumber } from '../plan.ts'
import { countPeople } from './count-people.ts'

export function compileStickinessQuery(
  query: StickinessQuery,
  context: Context,
): Plan<readonly StickinessSeries[]> {
  const ranges = resolvePeriods(query, context)
  const isCompared = ranges.length > 1
  return {
    properties: [
      ...query.series.flatMap((node) => propertiesIn(node.properties)),
      ...commonProperties(query, context),
    ],
    statements: ranges.map((each) => (table) => countPeople(table, query, each, context)),
    toResult: (answers) =>
      answers.flatMap((rows, index) => {
        const compared = { compare: true, compare_label: LABELS[index] } as const
        const found = shapeSeries(query, rows, ranges[index] as Range)
        return isCompared ? found.map((each) => ({ ...each, ...compared })) : found
      }),
  }
}

function resolvePeriods(query: StickinessQuery, context: Context): Range[] {
  const { dateRange, interval, compareFilter } = query
  const current = toRange(dateRange, interval ?? 'day', context, `${context.attr}__dateRange`)
  if (!compareFilter?.compare) return [current]
  const { compare_to: by } = compareFilter
  const attr = `${context.attr}__compareFilter__compare_to`
  return [current, by ? toEarlier(current, by, context, attr) : toPrevious(current, context)]
}

const LABELS = ['current', 'previous'] as const

function shapeSeries(
  { series, stickinessFilter }: StickinessQuery,
  rows: readonly Row[],
  { buckets, interval }: Range,
): StickinessSeries[] {
  const people = new Map(rows.map((row) => [`${row.series} ${row.times}`, row.people]))
  const days = buckets.map((_, index) => index + 1)
  return series.map((node, order) => {
    const exactly = days.map((times) => toNumber(people.get(`${order} ${times}`)))
    return {
      label: toSeriesTitle(node),
      count: exactly.reduce((sum, count) => sum + count, 0),
      data: stickinessFilter?.computedAs === 'cumulative' ? toAtLeast(exactly) : exactly,
      labels: days.map((times) => `${times} ${interval}${times === 1 ? '' : 's'}`),
      days,
      action: toAction(node, order),
    }
  })
}

function toAtLeast(exactly: readonly number[]): number[] {
  let sum = 0
  return exactly
    .toReversed()
    .map((count) => (sum += count))
    .reverse()
}

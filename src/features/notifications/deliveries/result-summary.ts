import type {
  FunnelStep,
  LifecycleSeries,
  RetentionCohort,
  TrendSeries,
} from '#model/query-results.ts'
import {
  nameSeries,
  shownValue,
  toBreakdownLabel,
  toNodeLabel,
  toPathLabel,
} from '#model/series-names.ts'

export type SummaryRow = readonly [name: string, value: string]

const MAX_ROWS = 20

/** Summarizes the result of any kind of query in a few rows for a mail. */
export function summarizeResult(results: unknown): SummaryRow[] {
  const items = Array.isArray(results) ? results.slice(0, MAX_ROWS) : []
  const rows = (items.every(isSeries) ? toSeriesRows(items) : items.flatMap(toRows)).slice(
    0,
    MAX_ROWS,
  )
  return rows.length > 0 ? rows : [['Result', 'no data']]
}

function toRows(item: unknown): SummaryRow[] {
  if (Array.isArray(item)) return isFunnel(item) ? item.flatMap(toRows) : [toTableRow(item)]
  if (typeof item !== 'object' || item === null) return []
  if ('conversion_rate' in item) return [toStepRow(item as FunnelStep)]
  if ('values' in item) return [toCohortRow(item as RetentionCohort)]
  if ('source' in item && 'target' in item && 'value' in item) {
    return [
      [`${toPathLabel(`${item.source}`)} → ${toPathLabel(`${item.target}`)}`, String(item.value)],
    ]
  }
  return []
}

const isFunnel = (items: readonly unknown[]): boolean =>
  items.every((item) => typeof item === 'object' && item !== null && 'conversion_rate' in item)

function toTableRow([first, ...others]: readonly unknown[]): SummaryRow {
  if (others.length === 0) return ['Value', toText(first)]
  return [toText(first), others.map(toText).join(', ')]
}

const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

function toStepRow(step: FunnelStep): SummaryRow {
  const { count, conversion_rate } = step
  const name = toNodeLabel(step)
  const label = shownValue(step) === undefined ? name : `${toBreakdownLabel(step)}: ${name}`
  return [label, `${count} (${Number((conversion_rate * 100).toFixed(1))}%)`]
}

const toCohortRow = ({ label, values }: RetentionCohort): SummaryRow => [
  label,
  values.map(({ count }) => count).join(', '),
]

const isSeries = (item: unknown): item is TrendSeries =>
  typeof item === 'object' && item !== null && 'data' in item

const toSeriesRows = (all: readonly TrendSeries[]): SummaryRow[] =>
  nameSeries(all).map(({ series, name }) => toSeriesRow(toStatusName(series) ?? name, series))

/** Names one of the four series of a lifecycle. */
const toStatusName = (series: Partial<LifecycleSeries>): string | undefined =>
  series.status && series.action ? `${toNodeLabel(series.action)} - ${series.status}` : undefined

/** Shows the single value, or the total and the last two intervals. */
function toSeriesRow(label: string, { aggregated_value, count, data }: TrendSeries): SummaryRow {
  if (aggregated_value !== undefined) return [label, String(aggregated_value)]
  const [previous, last] = [data.at(-2), data.at(-1)]
  if (previous === undefined) return [label, String(last ?? count)]
  return [label, `${count} total, ${last} in the last interval, ${previous} in the one before`]
}

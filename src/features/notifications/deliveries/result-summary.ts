import type { FunnelStep, RetentionCohort, TrendSeries } from '#model/query-results.ts'
import { shownValue } from '#model/series-names.ts'

export type SummaryRow = readonly [name: string, value: string]

const MAX_ROWS = 20

/** Summarizes the result of any kind of query in a few rows for a mail. */
export function summarizeResult(results: unknown): SummaryRow[] {
  const items = Array.isArray(results) ? results.slice(0, MAX_ROWS) : []
  const rows = items.flatMap(toRows).slice(0, MAX_ROWS)
  return rows.length > 0 ? rows : [['Result', 'no data']]
}

function toRows(item: unknown): SummaryRow[] {
  if (Array.isArray(item)) return isFunnel(item) ? item.flatMap(toRows) : [toTableRow(item)]
  if (typeof item !== 'object' || item === null) return []
  if ('conversion_rate' in item) return [toStepRow(item as FunnelStep)]
  if ('values' in item) return [toCohortRow(item as RetentionCohort)]
  if ('data' in item) return [toSeriesRow(item as TrendSeries)]
  if ('source' in item && 'target' in item && 'value' in item) {
    return [[`${item.source} → ${item.target}`, String(item.value)]]
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
  const value = shownValue(step)
  const name = step.custom_name ?? step.name
  const label = value === undefined ? name : `${value}: ${name}`
  return [label, `${count} (${Number((conversion_rate * 100).toFixed(1))}%)`]
}

const toCohortRow = ({ label, values }: RetentionCohort): SummaryRow => [
  label,
  values.map(({ count }) => count).join(', '),
]

/** Shows the single value, or the total and the last two intervals. */
function toSeriesRow({ label, aggregated_value, count, data }: TrendSeries): SummaryRow {
  if (aggregated_value !== undefined) return [label, String(aggregated_value)]
  const [previous, last] = [data.at(-2), data.at(-1)]
  if (previous === undefined) return [label, String(last ?? count)]
  return [label, `${count} total, ${last} in the last interval, ${previous} in the one before`]
}

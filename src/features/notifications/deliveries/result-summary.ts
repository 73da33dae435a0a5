import type { FunnelStep, RetentionCohort, TrendSeries } from '#model/query-results.ts'

export type SummaryRow = readonly [name: string, value: string]

const MOST = 20

/** What can be said of an answer in a few lines, whatever was asked. */
export function summarizeResult(results: unknown): SummaryRow[] {
  const items = Array.isArray(results) ? results.slice(0, MOST) : []
  const figures = items.flatMap(toLines).slice(0, MOST)
  return figures.length > 0 ? figures : [['Result', 'nothing']]
}

function toLines(item: unknown): SummaryRow[] {
  if (Array.isArray(item)) return isSteps(item) ? item.flatMap(toLines) : [toRow(item)]
  if (typeof item !== 'object' || item === null) return []
  if ('conversion_rate' in item) return [toStep(item as FunnelStep)]
  if ('values' in item) return [toCohort(item as RetentionCohort)]
  if ('data' in item) return [toSeries(item as TrendSeries)]
  if ('source' in item && 'target' in item && 'value' in item) {
    return [[`${item.source} → ${item.target}`, String(item.value)]]
  }
  return []
}

const isSteps = (items: readonly unknown[]): boolean =>
  items.every((item) => typeof item === 'object' && item !== null && 'conversion_rate' in item)

const toRow = ([first, ...others]: readonly unknown[]): SummaryRow =>
  others.length === 0 ? ['Value', show(first)] : [show(first), others.map(show).join(', ')]

const show = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

function toStep({
  name,
  custom_name,
  breakdown_value,
  count,
  conversion_rate,
}: FunnelStep): SummaryRow {
  const called = custom_name ?? name
  const label = breakdown_value === undefined ? called : `${breakdown_value}: ${called}`
  return [label, `${count} (${Number((conversion_rate * 100).toFixed(1))} %)`]
}

const toCohort = ({ label, values }: RetentionCohort): SummaryRow => [
  label,
  values.map(({ count }) => count).join(', '),
]

/** The number, or how much in all and in the last two intervals. */
function toSeries({ label, aggregated_value, count, data }: TrendSeries): SummaryRow {
  if (aggregated_value !== undefined) return [label, String(aggregated_value)]
  const [before, last] = [data.at(-2), data.at(-1)]
  if (before === undefined) return [label, String(last ?? count)]
  return [label, `${count} in all, ${last} in the last interval, ${before} in the one before`]
}

import type { DashboardSearch } from '../../dashboard-list/search.ts'

type Range = Pick<DashboardSearch, 'date_from' | 'date_to'>

/** Dates in the API's notation: days back from now, or the start of a period. */
export const DATE_PRESETS: readonly (Range & { readonly label: string })[] = [
  { label: 'Tile defaults' },
  { label: 'Today', date_from: 'dStart' },
  { label: 'Last 7 days', date_from: '-7d' },
  { label: 'Last 14 days', date_from: '-14d' },
  { label: 'Last 30 days', date_from: '-30d' },
  { label: 'Last 90 days', date_from: '-90d' },
  { label: 'This month', date_from: 'mStart' },
  { label: 'This year', date_from: 'yStart' },
  { label: 'All time', date_from: 'all' },
]

export function rangeLabel({ date_from, date_to }: Range): string {
  const preset = DATE_PRESETS.find((one) => one.date_from === date_from && one.date_to === date_to)
  if (preset) return preset.label
  if (date_from && date_to) return `${date_from} to ${date_to}`
  return date_from ? `Since ${date_from}` : `Until ${date_to}`
}

import { pluralize } from '#model/pluralize.ts'

/** Dates in the API's notation: `-7d` is seven days ago, `mStart` the start of this month. */
export interface Dates {
  readonly date_from?: string | null | undefined
  readonly date_to?: string | null | undefined
}

export const DATE_PRESETS: readonly (Dates & { readonly label: string })[] = [
  { label: 'Today', date_from: 'dStart' },
  { label: 'Yesterday', date_from: '-1dStart', date_to: '-1dEnd' },
  { label: 'Last 24 hours', date_from: '-24h' },
  { label: 'This week', date_from: 'wStart' },
  { label: 'Last 7 days', date_from: '-7d' },
  { label: 'Last 14 days', date_from: '-14d' },
  { label: 'Last 30 days', date_from: '-30d' },
  { label: 'Last 90 days', date_from: '-90d' },
  { label: 'This month', date_from: 'mStart' },
  { label: 'Last month', date_from: '-1mStart', date_to: '-1mEnd' },
  { label: 'This year', date_from: 'yStart' },
  { label: 'All time', date_from: 'all' },
]

/** Units of "Last N days", with the letters of the API. */
export const UNITS = [
  { value: 'h', label: 'hours', singular: 'hour', max: 2000 },
  { value: 'd', label: 'days', singular: 'day', max: 2000 },
  { value: 'w', label: 'weeks', singular: 'week', max: 500 },
  { value: 'm', label: 'months', singular: 'month', max: 120 },
] as const

/** Parses "Last N days", which has no end. */
export function toLast({ date_from, date_to }: Dates) {
  const [, count, letter] = (!date_to && /^-(\d{1,5})([hdwm])$/.exec(date_from ?? '')) || []
  const unit = UNITS.find(({ value }) => value === letter)
  return unit && { count: Number(count), unit }
}

/** Names dates. Without any, `none` is the name. */
export function datesLabel(dates: Dates, none: string): string {
  const [from, to] = [dates.date_from || undefined, dates.date_to || undefined]
  if (!from && !to) return none
  const preset = DATE_PRESETS.find((one) => one.date_from === from && one.date_to === to)
  if (preset) return preset.label
  const last = toLast(dates)
  if (last) return `Last ${pluralize(last.count, last.unit.singular)}`
  if (from && to) return `${from} to ${to}`
  return from ? `Since ${from}` : `Until ${to}`
}

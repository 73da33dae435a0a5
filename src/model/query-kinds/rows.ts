import type { TrendSeries } from '../query-results.ts'
import { shownValue } from '../series-names.ts'
import type { Rows } from './query-kind.ts'

type Titled = Parameters<typeof shownValue>[0] &
  Pick<TrendSeries, 'label' | 'action' | 'compare_label'>

export function toColumnName({ label, action, compare_label, ...series }: Titled): string {
  const own = action?.custom_name || label
  const value = shownValue(series)
  const name = value === undefined || own === value ? own : `${own} - ${value}`
  return compare_label ? `${name} (${compare_label})` : name
}

/** Creates one column per series. The first series has the days; a previous period is aligned with them. */
export function toColumnsOverTime<S extends Pick<TrendSeries, 'days' | 'data'>>(
  all: readonly S[],
  toName: (series: S) => string,
): Rows {
  const days = all[0]?.days ?? []
  return [
    ['date', ...all.map(toName)],
    ...days.map((day, at) => [day, ...all.map(({ data }) => data[at] ?? null)]),
  ]
}

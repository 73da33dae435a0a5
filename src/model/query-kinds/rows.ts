import type { TrendSeries } from '../query-results.ts'
import type { Rows } from './query-kind.ts'

type Titled = Pick<TrendSeries, 'label' | 'action' | 'breakdown_value' | 'compare_label'>

export function toColumnName({ label, action, breakdown_value, compare_label }: Titled): string {
  const own = action?.custom_name || label
  const name =
    breakdown_value === undefined || own === breakdown_value ? own : `${own} - ${breakdown_value}`
  return compare_label ? `${name} (${compare_label})` : name
}

/** Creates one column per series. The days are those of the first series; a previous period is aligned with them. */
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

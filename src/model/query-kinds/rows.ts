import type { RowNames } from '../names/row-names.ts'
import type { TrendSeries } from '../query-results.ts'
import { storedValue, type Valued } from '../series-names.ts'
import type { Rows } from './query-kind.ts'

type Titled = Valued & Pick<TrendSeries, 'label' | 'action' | 'compare_label'>

export function toColumnName(
  { label, action, compare_label, ...series }: Titled,
  names: RowNames,
): string {
  const name = nameLine({ label, action, ...series }, names)
  return compare_label ? `${name} (${compare_label})` : name
}

/** The label of a broken-down series has its value, with the event if there are several. */
function nameLine({ label, action, ...series }: Titled, names: RowNames): string {
  const value = names.ofBreakdown(series)
  if (value === undefined) return action?.custom_name || (action ? names.event(label) : label)
  if (label === storedValue(series) && !action?.custom_name) return value
  if (!action) return label
  return `${action.custom_name || names.event(action.name)} - ${value}`
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

import { OTHER, toDistinct, toLabel } from './format.ts'
import type { FunnelStep, TrendSeries } from './query-results.ts'

type Valued = Pick<TrendSeries, 'breakdown_value' | 'breakdown_label'>
type Nameable = Valued & Pick<TrendSeries, 'action' | 'label' | 'compare_label'>

/** Returns the value of a breakdown as it is shown: a cohort has a name. */
export const shownValue = ({ breakdown_label, breakdown_value }: Valued): string | undefined =>
  breakdown_label ?? breakdown_value?.toString()

export interface NamedSeries<S = TrendSeries> {
  readonly series: S
  readonly name: string
  /** The color index, shared by a series and its previous period. */
  readonly hue: number
  readonly isPrevious: boolean
  /** Stands for several values, which share a neutral color. */
  readonly isRest?: boolean
}

const isPrevious = ({ compare_label }: Nameable): boolean => compare_label === 'previous'

/** Identifies a series across periods. */
const identity = ({ action, label, breakdown_value }: Nameable): string =>
  JSON.stringify([action?.order ?? label, breakdown_value ?? null])

/** Names a broken-down series after its value, with several events after both. */
function toName(series: Nameable, severalActions: boolean): string {
  const { action, label } = series
  const value = shownValue(series)
  const own = action?.custom_name || label || action?.name
  if (value === undefined) return toLabel(own)
  return severalActions && action
    ? `${toLabel(action.custom_name || action.name)} · ${toLabel(value)}`
    : toLabel(value)
}

export function nameSeries<S extends Nameable>(all: readonly S[]): NamedSeries<S>[] {
  const hues = [...new Set(all.map(identity))]
  const severalActions = new Set(all.map(({ action }) => action?.order)).size > 1
  const names = all.map((series) => {
    const name = toName(series, severalActions)
    return isPrevious(series) ? `${name} (previous)` : name
  })
  const distinct = toDistinct(names)
  return all.map((series, at) => ({
    series,
    name: distinct[at] as string,
    hue: hues.indexOf(identity(series)),
    isPrevious: isPrevious(series),
    isRest: series.breakdown_value === OTHER,
  }))
}

/** Returns the one value of a series: its aggregated value, or its count. */
export const totalOf = ({ aggregated_value, count }: TrendSeries): number =>
  aggregated_value ?? count ?? 0

/** Tells whether one number is the whole result, apart from the previous period. */
export const isOneNumber = (all: readonly TrendSeries[]): boolean =>
  all.filter((series) => !isPrevious(series)).length < 2

/** Lists the values of all series below a header. */
export const toValueRows = (all: readonly TrendSeries[]): (string | number)[][] => [
  ['Series', 'Value'],
  ...nameSeries(all).map(({ name, series }) => [name, totalOf(series)]),
]

export const toStepName = ({ custom_name, name, order }: FunnelStep): string =>
  `${order + 1}. ${toLabel(custom_name || name)}`

import { OTHER, toDistinct, toLabel } from './format.ts'
import { labelValues, toEventLabel, toValueLabel } from './names/event-label.ts'
import type { FunnelStep, SeriesAction, TrendSeries } from './query-results.ts'

export type Valued = Pick<TrendSeries, 'breakdown_value' | 'breakdown_label' | 'breakdown_name'>
type Nameable = Valued & Pick<TrendSeries, 'action' | 'label' | 'compare_label'>

/** Returns the value of a breakdown as files have it: a cohort by its name, a person by an ID. */
export const storedValue = ({ breakdown_label, breakdown_value }: Valued): string | undefined =>
  breakdown_label ?? breakdown_value?.toString()

/** Returns the value of a breakdown as it is shown: cohorts and persons have names. */
export const shownValue = (valued: Valued): string | undefined =>
  valued.breakdown_name ?? storedValue(valued)

/** Names the value of a breakdown on its own, where no other value is shown beside it. */
export const toBreakdownLabel = (valued: Valued): string =>
  toLabel(toValueLabel(shownValue(valued) ?? ''))

export interface NamedSeries<S = TrendSeries> {
  readonly series: S
  readonly name: string
  /** The color index, shared by a series and its previous period. */
  readonly hue: number
  readonly isPrevious: boolean
  /** The position in the result. */
  readonly index?: number
  /** Stands for several values, which share a neutral color. */
  readonly isRest?: boolean
}

const isPrevious = ({ compare_label }: Nameable): boolean => compare_label === 'previous'

/** Identifies a series across periods. */
const identity = ({ action, label, breakdown_value }: Nameable): string =>
  JSON.stringify([action?.order ?? label, breakdown_value ?? null])

/** Names a broken-down series after its value, with several events after both. */
function toName(
  series: Nameable,
  severalActions: boolean,
  labelValue: (value: string) => string,
): string {
  const { action } = series
  const value = shownValue(series)
  if (value === undefined) return toLabel(toSeriesLabel(series))
  const label = toLabel(labelValue(value))
  return severalActions && action ? `${toLabel(toNodeLabel(action))} · ${label}` : label
}

/** Returns the name that the user gave, or the label of the event. */
export const toNodeLabel = ({
  custom_name,
  name,
}: Pick<SeriesAction, 'name' | 'custom_name'>): string => custom_name || toEventLabel(name)

/** Returns the words of a formula, which has no event, as they are. */
export const toSeriesLabel = ({
  action,
  label,
}: Partial<Pick<TrendSeries, 'action' | 'label'>>): string | undefined =>
  action ? action.custom_name || toEventLabel(label || action.name) : label

export function nameSeries<S extends Nameable>(all: readonly S[]): NamedSeries<S>[] {
  const hues = [...new Set(all.map(identity))]
  const severalActions = new Set(all.map(({ action }) => action?.order)).size > 1
  const labelValue = labelValues(all.map(shownValue))
  const names = all.map((series) => {
    const name = toName(series, severalActions, labelValue)
    return isPrevious(series) ? `${name} (previous)` : name
  })
  const distinct = toDistinct(names)
  return all.map((series, at) => ({
    series,
    name: distinct[at] as string,
    hue: hues.indexOf(identity(series)),
    isPrevious: isPrevious(series),
    index: at,
    isRest: series.breakdown_value === OTHER,
  }))
}

/** Lists the IDs behind the names of persons, for tooltips. */
export const listPersonIds = (all: readonly TrendSeries[]): ReadonlyMap<string, string> =>
  new Map(
    all.some(({ breakdown_name }) => breakdown_name)
      ? nameSeries(all).flatMap(({ name, series: { breakdown_name, breakdown_value } }) =>
          breakdown_name ? [[name, `${breakdown_value}`] as const] : [],
        )
      : [],
  )

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

export const toStepName = (step: FunnelStep): string =>
  `${step.order + 1}. ${toLabel(toNodeLabel(step))}`

/** Names the page or event of a step in a path: `2_$identify` is Identify. */
export const toPathLabel = (item: string): string => toLabel(toEventLabel(withoutStep(item)))

export const withoutStep = (item: string): string => item.replace(/^\d+_/, '')

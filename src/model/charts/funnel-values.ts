import { OTHER, toDistinct, toLabel } from '../format.ts'
import { labelValues } from '../names/event-label.ts'
import type { FunnelStep } from '../query-results.ts'
import { shownValue } from '../series-names.ts'
import { MAX_FUNNEL_GROUPS, splitRest } from './limits.ts'

/** The steps of one value of a breakdown. */
export type FunnelGroup = readonly FunnelStep[]

interface DrawnGroups {
  /** The groups of the largest values, then the others added up. */
  readonly drawn: readonly FunnelGroup[]
  readonly names: readonly string[]
  /** The number of values that are left out. */
  readonly omitted: number
  isRest(at: number): boolean
}

/** Chooses and names the values of a breakdown that a chart shows. */
export function toDrawnGroups(groups: readonly FunnelGroup[]): DrawnGroups {
  const { shown, rest, restName, omitted } = splitRest(groups, {
    max: MAX_FUNNEL_GROUPS,
    isOther,
    // each person has one value of a property, and can be in several cohorts
    isMerged: !groups.some(([first]) => first?.breakdown_label !== undefined),
  })
  const drawn = rest.length > 0 ? [...shown, addUp(rest)] : shown
  const values = shown.map(([first]) => first && shownValue(first))
  const labelValue = labelValues(values)
  const names = toDistinct(values.map((value) => toLabel(value && labelValue(value))))
  if (rest.length > 0) names.push(restName)
  const isRest = (at: number) => at >= shown.length || isOther(drawn[at] ?? [])
  return { drawn, names, omitted, isRest }
}

const isOther = ([first]: FunnelGroup): boolean => first?.breakdown_value === OTHER

/** Adds up the counts, from which the rates follow. */
function addUp(groups: readonly FunnelGroup[]): FunnelGroup {
  const counts = (groups[0] ?? []).map((_, at) =>
    groups.reduce((sum, group) => sum + (group[at]?.count ?? 0), 0),
  )
  const share = (count: number, of: number) => (of > 0 ? count / of : 0)
  return (groups[0] ?? []).map((step, at) => ({
    ...step,
    count: counts[at] ?? 0,
    conversion_rate: share(counts[at] ?? 0, counts[0] ?? 0),
    step_conversion_rate: share(counts[at] ?? 0, counts[Math.max(0, at - 1)] ?? 0),
  }))
}

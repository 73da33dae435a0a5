import { fullNumber, percent } from '../format.ts'
import { PLAIN } from '../number-format.ts'
import type { FunnelStep, RetentionCohort, TrendSeries } from '../query-results.ts'

interface Named {
  readonly name: string
  readonly series: Pick<TrendSeries, 'data'>
}

/** Summarizes a chart in one sentence, for people who do not see it. */
export function summarizeSeries(
  named: readonly Named[],
  intervals: readonly string[],
  format = PLAIN,
): string {
  const points = named.flatMap(({ name, series }) =>
    series.data.map((value, at) => ({ name, value, at })),
  )
  const [first] = points
  if (!first) return ''
  const peak = points.reduce((most, point) => (point.value > most.value ? point : most), first)
  const subject = named.length === 1 ? first.name : `${named.length} series`
  const range = intervals.length > 1 ? `${intervals[0]} to ${intervals.at(-1)}` : intervals[0]
  const whose = named.length === 1 ? '' : ` of ${peak.name}`
  return `${subject}, ${range}; highest: ${format.full(peak.value)}${whose} at ${intervals[peak.at]}.`
}

/** Takes the values in descending order. */
export function summarizeValues(
  values: readonly { readonly name: string; readonly value: number }[],
  format = PLAIN,
): string {
  const [first, ...others] = values
  if (!first) return ''
  const largest = `${first.name}: ${format.full(first.value)}`
  const last = others.at(-1)
  return last
    ? `${values.length} values, from ${largest} to ${last.name}: ${format.full(last.value)}.`
    : `${largest}.`
}

export function summarizeFunnel(
  groups: readonly (readonly FunnelStep[])[],
  names: readonly string[],
) {
  const steps = groups[0]?.length ?? 0
  const rates = groups.map((group, at) => {
    const [entered, completed] = [group[0]?.count ?? 0, group.at(-1)?.count ?? 0]
    const whose = names[at] === undefined ? '' : `${names[at]}: `
    return `${whose}${fullNumber(completed)} of ${fullNumber(entered)} people (${percent(group.at(-1)?.conversion_rate ?? 0)})`
  })
  return `Completed ${steps} steps: ${rates.join(', ')}.`
}

export function summarizeRetention(
  cohorts: readonly RetentionCohort[],
  means: readonly (number | undefined)[],
): string {
  const next = cohorts[0]?.values[1]
  const back =
    next && means[1] !== undefined ? `; ${percent(means[1])} came back in ${next.label}` : ''
  return `${cohorts.length} cohorts${back}.`
}

import { fieldsOf, listOf, unwrap } from '../chart.ts'
import type {
  FunnelStep,
  LifecycleSeries,
  PathLink,
  RetentionCohort,
  StickinessSeries,
  TrendSeries,
} from '../query-results.ts'
import { isFunnelTimes, isFunnelTrend } from './funnel-kinds.ts'

export type Cell = unknown

type Rows = readonly (readonly Cell[])[]

const KINDS: ReadonlyMap<unknown, (result: unknown) => Rows> = new Map([
  ['TrendsQuery', (result: unknown) => trendRows(listOf(result))],
  ['FunnelsQuery', funnelRows],
  ['RetentionQuery', (result: unknown) => retentionRows(listOf(result))],
  ['LifecycleQuery', (result: unknown) => lifecycleRows(listOf(result))],
  ['StickinessQuery', (result: unknown) => stickinessRows(listOf(result))],
  ['PathsQuery', (result: unknown) => pathRows(listOf(result))],
  ['HogQLQuery', tableRows],
])

/** The header, then what follows. A kind that is not known, or no answer, has no rows at all. */
export function toRows(query: object, result: unknown): Rows {
  if (result === null || result === undefined) return []
  return KINDS.get(unwrap(query).source.kind)?.(result) ?? []
}

const nameOf = ({
  label,
  action,
  breakdown_value,
  compare_label,
}: Pick<TrendSeries, 'label' | 'action' | 'breakdown_value' | 'compare_label'>): string => {
  const own = action?.custom_name || label
  const name =
    breakdown_value === undefined || own === breakdown_value ? own : `${own} - ${breakdown_value}`
  return compare_label ? `${name} (${compare_label})` : name
}

/** A column for each series over time; a row for each where there is one value. */
function trendRows(all: readonly TrendSeries[]): Rows {
  const overTime = all.filter(({ days }) => days.length > 0)
  if (overTime.length === 0 || all.some(({ aggregated_value }) => aggregated_value !== undefined)) {
    return [
      ['series', 'value'],
      ...all.map((series) => [nameOf(series), series.aggregated_value ?? series.count]),
    ]
  }
  return columnsOverTime(overTime, nameOf)
}

const lifecycleRows = (all: readonly LifecycleSeries[]): Rows =>
  columnsOverTime(all, ({ status }) => status)

/** The days are those of the first; a previous period has its own, in step with them. */
function columnsOverTime<S extends Pick<TrendSeries, 'days' | 'data'>>(
  all: readonly S[],
  name: (series: S) => string,
): Rows {
  const days = all[0]?.days ?? []
  return [
    ['date', ...all.map(name)],
    ...days.map((day, at) => [day, ...all.map(({ data }) => data[at] ?? null)]),
  ]
}

function funnelRows(result: unknown): Rows {
  if (isFunnelTimes(result)) return [['from_seconds', 'people'], ...result.bins]
  if (isFunnelTrend(result)) {
    return columnsOverTime(result, ({ breakdown_value }) => breakdown_value ?? 'conversion_percent')
  }
  const steps = listOf<FunnelStep | readonly FunnelStep[]>(result).flat() as FunnelStep[]
  const isBroken = steps.some(({ breakdown_value }) => breakdown_value !== undefined)
  return [
    [
      ...(isBroken ? ['breakdown'] : []),
      'step',
      'name',
      'count',
      'conversion_rate',
      'step_conversion_rate',
      'median_seconds',
      'average_seconds',
    ],
    ...steps.map((step) => [
      ...(isBroken ? [step.breakdown_value] : []),
      step.order + 1,
      step.custom_name || step.name,
      step.count,
      step.conversion_rate,
      step.step_conversion_rate,
      step.median_conversion_time,
      step.average_conversion_time,
    ]),
  ]
}

/** The first column of counts is the cohort's size: all of it is there at the beginning. */
function retentionRows(cohorts: readonly RetentionCohort[]): Rows {
  const longest = cohorts.reduce<RetentionCohort['values']>(
    (most, { values }) => (values.length > most.length ? values : most),
    [],
  )
  return [
    ['date', 'cohort', ...longest.map(({ label }) => label)],
    ...cohorts.map(({ date, label, values }) => [
      date,
      label,
      ...longest.map((_, at) => values[at]?.count ?? null),
    ]),
  ]
}

function stickinessRows(all: readonly StickinessSeries[]): Rows {
  return [
    ['intervals', ...all.map(nameOf)],
    ...(all[0]?.days ?? []).map((days, at) => [days, ...all.map(({ data }) => data[at] ?? null)]),
  ]
}

const withoutStep = (name: string): string => name.replace(/^\d+_/, '')

const pathRows = (links: readonly PathLink[]): Rows => [
  ['step', 'source', 'target', 'people', 'average_seconds'],
  ...links.map(({ source, target, value, average_conversion_time }) => [
    Number.parseInt(source, 10),
    withoutStep(source),
    withoutStep(target),
    value,
    average_conversion_time / 1000,
  ]),
]

function tableRows(result: unknown): Rows {
  const { columns, results } = fieldsOf(result)
  return [listOf(columns), ...listOf<readonly Cell[]>(results)]
}

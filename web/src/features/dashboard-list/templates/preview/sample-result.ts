import { fieldsOf, type JsonObject, listOf } from '#model/json.ts'
import type { QueryKindName } from '#model/query-kinds/index.ts'
import { unwrapQuery } from '#model/query-node.ts'
import type { FunnelStep, PathLink, RetentionCohort } from '#model/query-results.ts'
import type { WebFigure } from '#model/web-figures.ts'
import { sum, toDays, toSeed, toWave } from './sample-numbers.ts'
import { toSampleRows } from './sample-sql.ts'
import { toAction, toBreakdownValues, toSampleTrend } from './sample-trends.ts'

/** Makes up the result of a query of a template, so that its charts can be shown before there are events. */
export function toSampleResult(query: object): unknown {
  const { source } = unwrapQuery(query)
  return SAMPLES[source.kind as QueryKindName]?.(source, query) ?? null
}

const SAMPLES: Readonly<Record<QueryKindName, (source: JsonObject, query: object) => unknown>> = {
  TrendsQuery: (_, query) => toSampleTrend(query),
  FunnelsQuery: (source) => toFunnel(source),
  RetentionQuery: toRetention,
  LifecycleQuery: toLifecycle,
  StickinessQuery: (source) => toStickiness(source),
  PathsQuery: () => toPaths(),
  HogQLQuery: ({ query }) => toSampleRows(String(query)),
  WebOverviewQuery: () => FIGURES,
  WebStatsTableQuery: () => toPairs('breakdown_value', ['/', '/pricing', '/docs', '/blog']),
  WebGoalsQuery: () => toPairs('action_name', ['Signed up', 'Bought a plan']),
}

const SHARES = [1, 0.46, 0.21, 0.12, 0.08]

function toFunnel(source: JsonObject) {
  const { funnelVizType } = fieldsOf(source.funnelsFilter)
  const days = toDays(source.interval)
  if (funnelVizType === 'time_to_convert') {
    const bins = [320, 210, 90, 41, 12].map((persons, at) => [at * 1800, persons])
    return { bins, average_conversion_time: 2100 }
  }
  if (funnelVizType === 'trends') {
    return [{ count: 900, data: toWave(days.length, 38, 5), days, labels: days }]
  }
  const values = toBreakdownValues(source)
  if (!values) return toSteps(source, 2840)
  return values.map((breakdown_value, at) =>
    toSteps(source, 2840 / (at + 1)).map((step) => ({ ...step, breakdown_value })),
  )
}

const toSteps = (source: JsonObject, first: number): FunnelStep[] =>
  listOf(source.series).map((node, order) => {
    const share = SHARES[order] ?? 0.05
    const { id, math: _, ...names } = toAction(node, order)
    return {
      ...names,
      action_id: id,
      count: Math.round(first * share),
      average_conversion_time: order === 0 ? null : 5400 * order,
      median_conversion_time: order === 0 ? null : 2400 * order,
      conversion_rate: share,
      step_conversion_rate: share / (SHARES[order - 1] ?? 1),
    }
  })

function toRetention(source: JsonObject): RetentionCohort[] {
  const { period, totalIntervals } = fieldsOf(source.retentionFilter)
  const name = typeof period === 'string' ? period : 'Day'
  const length = Math.min(12, Math.max(2, Number(totalIntervals) || 8))
  const days = toDays(name.toLowerCase()).slice(-length)
  return days.map((day, row) => ({
    date: `${day.slice(0, 10)}T00:00:00Z`,
    label: `${name} ${row}`,
    values: Array.from({ length: days.length - row }, (_, at) => ({
      label: `${name} ${at}`,
      count: Math.round((420 - row * 17) * (at === 0 ? 1 : 0.44 / at ** 0.6)),
      ...(at === days.length - row - 1 && { unfinished: true as const }),
    })),
  }))
}

const STATUSES = { new: 320, returning: 880, resurrecting: 130, dormant: -390 } as const

function toLifecycle(source: JsonObject) {
  const days = toDays(source.interval)
  const action = toAction(listOf(source.series)[0], 0)
  return Object.entries(STATUSES).map(([status, base]) => {
    const data = toWave(days.length, base, toSeed(status))
    const label = `${action.name} - ${status}`
    return { label, status, action, data, days, labels: days, count: sum(data), unfinished: true }
  })
}

const STICKY = [1800, 920, 510, 330, 240, 170, 130]

const toStickiness = (source: JsonObject) =>
  listOf(source.series).map((node, order) => {
    const unit = String(source.interval ?? 'day')
    const days = STICKY.map((_, at) => at + 1)
    return {
      label: toAction(node, order).name,
      action: toAction(node, order),
      data: STICKY,
      count: sum(STICKY),
      days,
      labels: days.map((count) => `${count} ${unit}${count === 1 ? '' : 's'}`),
    }
  })

const LINKS = [
  ['1_/', '2_/pricing', 820],
  ['1_/', '2_/docs', 540],
  ['1_/blog', '2_/', 310],
  ['2_/pricing', '3_/sign-up', 430],
  ['2_/pricing', '3_/docs', 190],
  ['2_/docs', '3_/docs/start', 380],
  ['2_/', '3_/pricing', 150],
  ['3_/sign-up', '4_/welcome', 360],
  ['3_/docs/start', '4_/sign-up', 120],
] as const

const toPaths = (): PathLink[] =>
  LINKS.map(([from, target, value]) => ({
    ...{ source: from, target, value },
    average_conversion_time: 42_000,
  }))

const toFigure = (
  key: WebFigure['key'],
  kind: WebFigure['kind'],
  value: number,
  previous: number,
): WebFigure => ({ key, kind, value, previous, changeFromPreviousPct: null })

const FIGURES: readonly WebFigure[] = [
  toFigure('visitors', 'unit', 4820, 4310),
  toFigure('views', 'unit', 15_204, 13_980),
  toFigure('sessions', 'unit', 6120, 5700),
  toFigure('session duration', 'duration_s', 184, 171),
  toFigure('bounce rate', 'percentage', 41.2, 44),
]

const toPairs = (first: string, values: readonly string[]) => ({
  columns: [first, 'visitors', 'views'].map((name) => `context.columns.${name}`),
  results: values.map((value, at) => [
    value,
    [Math.round(920 / (at + 1)), null],
    [Math.round(2140 / (at + 1)), null],
  ]),
})

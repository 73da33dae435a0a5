import { toBoxNodes } from '#model/box-nodes.ts'
import { displayOf, TREND_DISPLAYS } from '#model/displays.ts'
import { fieldsOf, type JsonObject, listOf } from '#model/json.ts'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { unwrapQuery } from '#model/query-node.ts'
import type { SeriesAction, TrendSeries } from '#model/query-results.ts'
import { sum, toDays, toSeed, toWave } from './sample-numbers.ts'

/** The values of properties that templates break down by. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  $browser: ['Chrome', 'Safari', 'Firefox', 'Edge'],
  $device_type: ['Desktop', 'Mobile', 'Tablet'],
  $geoip_country_code: ['US', 'DE', 'GB', 'FR', 'IN', 'BR', 'JP', 'CA', 'AU', 'ES', 'ZA', 'MX'],
  $pathname: ['/', '/pricing', '/docs', '/blog', '/sign-up', '/about', '/changelog'],
  $referring_domain: [
    '$direct',
    'www.google.com',
    'github.com',
    'news.ycombinator.com',
    'bing.com',
  ],
  currency: ['usd', 'eur', 'gbp'],
  plan: ['free', 'team', 'business'],
  priority: ['normal', 'high', 'urgent', 'low'],
  status: ['succeeded', 'pending', 'failed'],
  utm_source: ['newsletter', 'google', 'linkedin', 'podcast'],
}
const OTHER_VALUES = ['First', 'Second', 'Third', 'Fourth']

/** The first series is the largest, as in most templates. */
const BASES = [1240, 620, 280, 150, 90]

export const toAction = (node: unknown, order: number): SeriesAction => {
  const { event, name, custom_name, math } = fieldsOf(node)
  // a template can leave the event open: `{VARIABLE}`
  const open = typeof node === 'string' ? node.replace(/[{}]/g, '').toLowerCase() : undefined
  const shown = open ?? String(name ?? event ?? 'All events')
  return {
    id: shown,
    name: shown,
    custom_name: typeof custom_name === 'string' ? custom_name : null,
    order,
    math: typeof math === 'string' ? math : 'total',
    type: 'events',
  }
}

export const toBreakdownValues = (source: JsonObject): readonly string[] | undefined => {
  const { breakdown, breakdowns } = fieldsOf(source.breakdownFilter)
  const property = [breakdown ?? fieldsOf(listOf(breakdowns)[0]).property].flat()[0]
  return property === undefined ? undefined : (VALUES[String(property)] ?? OTHER_VALUES)
}

/** Makes up the result of a trend as its display needs it. */
export function toSampleTrend(query: object): TrendSeries[] {
  const { source } = unwrapQuery(query)
  const { form, aggregates } = displayOf(TREND_DISPLAYS, query)
  const { formula } = fieldsOf(source.trendsFilter)
  const nodes = listOf<EventsNode>(source.series)
  const counted = form === 'box' ? nodes.slice(0, 1).flatMap(toBoxNodes) : nodes
  const days = toDays(source.interval)
  const values = toBreakdownValues(source) ?? [undefined]
  const actions = formula ? [null] : counted.map(toAction)
  const current = actions.flatMap((action, order) =>
    values.map((breakdown_value, rank) => {
      const name = action?.name ?? `Formula (${formula})`
      const seed = toSeed(name + (action?.math ?? '') + (breakdown_value ?? ''))
      const base = toBase({ isFormula: action === null, isBox: form === 'box', order, rank })
      return toSeries(days, {
        base: form === 'box' ? base : base * (0.6 + (seed % 80) / 100),
        seed,
        action,
        label: breakdown_value ?? name,
        ...(breakdown_value && { breakdown_value }),
      })
    }),
  )
  const shown = aggregates ? current.map((one) => toTotal(one, form === 'number')) : current
  if (fieldsOf(source.compareFilter).compare !== true) return shown
  return (['current', 'previous'] as const).flatMap((compare_label) =>
    shown.map((one) => ({
      ...(compare_label === 'current' ? one : toPrevious(one)),
      compare: true,
      compare_label,
    })),
  )
}

interface Rank {
  readonly isFormula: boolean
  readonly isBox: boolean
  readonly order: number
  /** The place of the value of a breakdown. */
  readonly rank: number
}

function toBase({ isFormula, isBox, order, rank }: Rank): number {
  if (isFormula) return 3.4 / (rank + 1)
  return isBox ? 12 * (order + 1) ** 1.6 : (BASES[order] ?? 60) / (rank + 1) ** 1.1
}

interface Sample extends Pick<TrendSeries, 'label' | 'action' | 'breakdown_value'> {
  readonly base: number
  readonly seed: number
}

function toSeries(days: readonly string[], { base, seed, ...names }: Sample): TrendSeries {
  const isSmall = base < 10
  const wave = toWave(days.length, isSmall ? base * 100 : base, seed)
  const data = isSmall ? wave.map((value) => value / 100) : wave
  return { ...names, data, days: [...days], labels: [...days], count: sum(data), unfinished: true }
}

/** A formula is a share or a mean, so its total is no sum. */
function toTotal(one: TrendSeries, hasSparkline: boolean): TrendSeries {
  const aggregated_value = one.action ? one.count : (one.data.at(-1) ?? 0)
  return hasSparkline
    ? { ...one, aggregated_value }
    : { ...one, aggregated_value, data: [], days: [], labels: [] }
}

function toPrevious(one: TrendSeries): TrendSeries {
  const before = (value: number) => (one.action ? Math.round(value * 0.86) : value * 0.86)
  return {
    ...one,
    data: one.data.map(before),
    count: before(one.count),
    ...(one.aggregated_value !== undefined && { aggregated_value: before(one.aggregated_value) }),
  }
}

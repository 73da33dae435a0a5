import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TestEvent } from '../support/data/queries.ts'

/** Computes a trend with loops over all events: slow and obvious. Supports ranges of whole days and `exact` filters. */

type Node = TrendsQuery['series'][number]

export interface DatedQuery extends TrendsQuery {
  readonly dateRange: { readonly date_from: string; readonly date_to: string }
}

export interface Expected {
  readonly data: readonly number[]
  readonly days: readonly string[]
  readonly aggregated_value?: number
  readonly breakdown_value?: string
  readonly compare_label?: string
}

interface LocalEvent extends TestEvent {
  readonly ms: number
  readonly date: string
}

interface Bucket {
  readonly day: string
  readonly dates: readonly string[]
  /** The hours of a range. */
  readonly hour?: readonly [number, number]
}

interface Period {
  readonly dates: readonly string[]
  readonly buckets: readonly Bucket[]
}

const WINDOWS: Readonly<Record<string, number>> = { weekly_active: 7, monthly_active: 30 }
const ONE_NUMBER = [
  ...['ActionsBarValue', 'ActionsPie', 'ActionsTable', 'BoldNumber', 'Gauge', 'WorldMap'],
]
const OTHER = '$$_posthog_breakdown_other_$$'
const NONE = '$$_posthog_breakdown_null_$$'

/** One number has its numbers over time too. */
export function expectTrend(query: DatedQuery, ...rest: Rest): Expected[] {
  const expected = expectLines(query, ...rest)
  const { display, formula } = query.trendsFilter ?? {}
  const isOneNumber = !query.breakdownFilter && (formula || query.series.length === 1)
  if (display !== 'BoldNumber' || !isOneNumber) return expected
  const trendsFilter = { ...query.trendsFilter, display: 'ActionsLineGraph' as const }
  const lines = expectLines({ ...query, trendsFilter }, ...rest)
  return expected.map((number, at) => ({
    ...number,
    data: lines[at]?.data ?? [],
    days: lines[at]?.days ?? [],
  }))
}

type Rest = Parameters<typeof expectLines> extends [unknown, ...infer Others] ? Others : never

function expectLines(
  query: DatedQuery,
  allEvents: readonly TestEvent[],
  zone: string,
  weekStart: 0 | 1,
): Expected[] {
  const events = allEvents.map((event): LocalEvent => {
    const local = Temporal.Instant.from(new Date(event.at).toISOString()).toZonedDateTimeISO(zone)
    return { ...event, ms: Date.parse(event.at), date: local.toPlainDate().toString() }
  })
  const isCumulative = query.trendsFilter?.display === 'ActionsLineGraphCumulative'
  const isOne = ONE_NUMBER.includes(query.trendsFilter?.display ?? '')
  const periods = periodsOf(query, zone, weekStart)
  const isMap = query.trendsFilter?.display === 'WorldMap'
  const limit = query.breakdownFilter?.breakdown_limit ?? (isMap ? 250 : 25)
  const isFormula = Boolean(query.trendsFilter?.formula)

  const results: Expected[] = []
  const bySeries = query.series.map((node, index) => {
    const top = topOf(isFormula ? (query.series[0] as Node) : node)
    const groups = query.breakdownFilter ? [...top, OTHER] : [undefined]
    return {
      index,
      groups,
      numbers: (group: string | undefined, period: Period) => numbersOf(node, group, top, period),
    }
  })
  if (isFormula) {
    const groups = bySeries[0]?.groups ?? []
    for (const group of groups) {
      if (
        group !== undefined &&
        !bySeries.some((each, index) => hasGroup(query.series[index] as Node, group, each.groups))
      )
        continue
      addResult(group, (period) => {
        const [a, b] = bySeries.map((each) => each.numbers(group, period))
        return (a as number[]).map((number, at) => (b?.[at] ? number / b[at] : 0))
      })
    }
    return results
  }
  for (const { index, groups, numbers } of bySeries) {
    for (const group of groups) {
      if (group !== undefined && !hasGroup(query.series[index] as Node, group, groups)) continue
      addResult(group, (period) => numbers(group, period))
    }
  }
  return results

  function addResult(group: string | undefined, compute: (period: Period) => number[]) {
    for (const [index, period] of periods.entries()) {
      const data = compute(period).map((number) => Number(number.toPrecision(12)))
      results.push({
        data: isOne ? [] : data,
        days: isOne ? [] : period.buckets.map(({ day }) => day),
        ...(isOne && { aggregated_value: data[0] }),
        ...(group !== undefined && { breakdown_value: group }),
        ...(periods.length > 1 && { compare_label: index === 0 ? 'current' : 'previous' }),
      } as Expected)
    }
  }

  /** A cumulative line counts all days of the range. */
  function windowOf({ math }: Node): number | undefined {
    return isCumulative ? undefined : WINDOWS[math ?? '']
  }

  /** Tells whether an event is in one of the intervals up to the one at an index. */
  function isBefore({ buckets }: Period, at: number): (event: LocalEvent) => boolean {
    const until = buckets.slice(0, at + 1)
    return ({ ms, date }) =>
      until.some(({ dates, hour }) => (hour ? ms >= hour[0] && ms < hour[1] : dates.includes(date)))
  }

  /** Tells whether any counted event has the value. */
  function hasGroup(node: Node, group: string, groups: readonly (string | undefined)[]): boolean {
    return periods.some((period) =>
      counted(node)
        .filter((event) => isInPeriod(node, event, period))
        .some((event) => groupOf(event, groups) === group),
    )
  }

  /** Tells whether a period counts an event. Weekly and monthly active users also count events before the period. */
  function isInPeriod(node: Node, event: LocalEvent, { dates, buckets }: Period): boolean {
    const window = windowOf(node)
    if (!window) return dates.includes(event.date)
    const hour = buckets[0]?.hour
    if (isOne) return daysUpTo(dates.at(-1) as string, window).includes(event.date)
    if (!hour) return [...daysUpTo(dates[0] as string, window), ...dates].includes(event.date)
    return event.ms >= hour[0] - hoursBefore(window) && event.ms < (buckets.at(-1)?.hour?.[1] ?? 0)
  }

  function topOf(node: Node): string[] {
    const [current] = periods as [Period]
    const sizes = new Map<string, number>()
    const events = counted(node).filter((event) => isInPeriod(node, event, current))
    for (const event of events) {
      const value = breakdownOf(event)
      sizes.set(
        value,
        measure(
          node,
          events.filter((other) => breakdownOf(other) === value),
        ),
      )
    }
    return [...sizes]
      .sort(([a, one], [b, other]) => other - one || Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([value]) => value)
      .slice(0, limit)
  }

  function breakdownOf(event: LocalEvent): string {
    const { breakdown, breakdown_type } = query.breakdownFilter ?? {}
    const parts = [breakdown ?? []].flat().map((key) => propertiesOf(event, breakdown_type)?.[key])
    return parts
      .map((part) => (part === undefined || part === null || part === '' ? NONE : String(part)))
      .join('::')
  }

  function groupOf(event: LocalEvent, groups: readonly (string | undefined)[]): string {
    return groups.includes(breakdownOf(event)) ? breakdownOf(event) : OTHER
  }

  function numbersOf(
    node: Node,
    group: string | undefined,
    top: readonly string[],
    period: Period,
  ): number[] {
    const events = counted(node).filter(
      (event) => group === undefined || groupOf(event, top) === group,
    )
    const isOf = (event: LocalEvent, dates: readonly string[]) => dates.includes(event.date)
    const window = windowOf(node)
    if (isOne)
      return [
        measure(
          node,
          events.filter((event) => isInPeriod(node, event, period)),
        ),
      ]
    if (isCumulative)
      return period.buckets.map((_, at) => measure(node, events.filter(isBefore(period, at))))
    return period.buckets.map(({ dates, hour }) => {
      if (hour) {
        const from = hour[0] - (window ? hoursBefore(window) : 0)
        return measure(
          node,
          events.filter(({ ms }) => ms >= from && ms < hour[1]),
        )
      }
      const last = dates.at(-1) as string
      return measure(
        node,
        events.filter((event) => isOf(event, window ? daysUpTo(last, window) : dates)),
      )
    })
  }

  /** Returns the events of a series at any time. */
  function counted(node: Node): LocalEvent[] {
    const fitting = events.filter(
      (event) => isNamed(event, node) && hasProperties(event, node) && hasCompany(event, node),
    )
    if (node.math !== 'first_time_for_user') return fitting
    const persons = new Set(events.map(({ person }) => person))
    return [...persons].flatMap((person) => {
      const named = events.filter((event) => event.person === person && isNamed(event, node))
      const first = Math.min(...named.map(({ ms }) => ms))
      const ofFirst = fitting.filter((event) => event.person === person && event.ms === first)
      return ofFirst.sort((a, b) => ((a.uuid as string) < (b.uuid as string) ? -1 : 1)).slice(0, 1)
    })
  }

  function hasProperties(event: LocalEvent, node: Node): boolean {
    const filters = [...((query.properties ?? []) as []), ...((node.properties ?? []) as [])] as {
      key: string
      value: unknown
      type?: string
    }[]
    return filters.every(({ key, value, type }) => {
      const own = propertiesOf(event, type)?.[key]
      return own !== undefined && own !== null && String(own) === String(value)
    })
  }
}

const propertiesOf = (event: LocalEvent, type: string | null | undefined) =>
  type === 'person' ? event.personProperties : event.properties

const isNamed = (event: LocalEvent, node: Node) => !node.event || event.event === node.event

/** The key of the only type of groups. */
const companyOf = ({ properties }: LocalEvent): unknown =>
  (properties?.$groups as { readonly company?: string } | undefined)?.company

const hasCompany = (event: LocalEvent, { math }: Node): boolean =>
  math !== 'unique_group' || companyOf(event) !== undefined

function measure(node: Node, events: readonly LocalEvent[]): number {
  const distinct = (values: unknown[]) =>
    new Set(values.filter((value) => value !== undefined)).size
  const math = node.math ?? 'total'
  if (math === 'total' || math === 'first_time_for_user') return events.length
  if (math === 'dau' || WINDOWS[math]) return distinct(events.map(({ person }) => person))
  if (math === 'unique_session')
    return distinct(events.map(({ properties }) => properties?.$session_id))
  if (math === 'unique_group') return distinct(events.map(companyOf))
  const numbers = events
    .map(({ properties }) => properties?.[node.math_property as string])
    .filter((value) => typeof value === 'number' || /^-?[0-9.]+$/.test(String(value)))
    .map(Number)
    .sort((a, b) => a - b)
  if (numbers.length === 0) return 0
  const sum = numbers.reduce((total, number) => total + number, 0)
  if (math === 'sum') return sum
  if (math === 'avg') return sum / numbers.length
  if (math === 'min') return numbers[0] as number
  if (math === 'max') return numbers.at(-1) as number
  const at = (math === 'median' ? 0.5 : Number(math.slice(1)) / 100) * (numbers.length - 1)
  const [low, high] = [numbers[Math.floor(at)] as number, numbers[Math.ceil(at)] as number]
  return low + (high - low) * (at - Math.floor(at))
}

/** Returns the length in milliseconds of a number of days, without the current hour. */
const hoursBefore = (days: number): number => (days * 24 - 1) * 3_600_000

const daysUpTo = (last: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    Temporal.PlainDate.from(last)
      .subtract({ days: count - 1 - index })
      .toString(),
  )

function periodsOf(query: DatedQuery, zone: string, weekStart: number): Period[] {
  const { date_from: from, date_to: to } = query.dateRange
  const count = Temporal.PlainDate.from(from).until(to).days + 1
  const current = daysUpTo(to, count)
  if (!query.compareFilter?.compare) return [toPeriod(current, query, zone, weekStart)]
  if (query.interval === 'month' && !query.compareFilter.compare_to && from.endsWith('-01')) {
    const months = new Set(current.map((date) => date.slice(0, 7))).size
    const [first, last] = [from, to].map((date) =>
      Temporal.PlainDate.from(date).subtract({ months }),
    )
    const length = (first as Temporal.PlainDate).until(last as Temporal.PlainDate).days + 1
    const previous = daysUpTo(String(last), length)
    return [current, previous].map((dates) => toPeriod(dates, query, zone, weekStart))
  }
  const earlier = query.compareFilter.compare_to === '-1w' ? 7 : count
  const previous = current.map((date) =>
    Temporal.PlainDate.from(date).subtract({ days: earlier }).toString(),
  )
  return [current, previous].map((dates) => toPeriod(dates, query, zone, weekStart))
}

function toPeriod(
  dates: readonly string[],
  { interval }: DatedQuery,
  zone: string,
  weekStart: number,
): Period {
  const startOf = (date: string): string => {
    const day = Temporal.PlainDate.from(date)
    if (interval === 'month') return day.with({ day: 1 }).toString()
    if (interval !== 'week') return date
    return day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 }).toString()
  }
  if (interval === 'hour') return { dates, buckets: hoursOf(dates, zone) }
  const starts = [...new Set(dates.map(startOf))]
  const buckets = starts.map((day) => ({
    day,
    dates: dates.filter((date) => startOf(date) === day),
  }))
  return { dates, buckets }
}

function hoursOf(dates: readonly string[], zone: string): Bucket[] {
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds
  const end = startOf(Temporal.PlainDate.from(dates.at(-1) as string).add({ days: 1 }))
  const buckets: Bucket[] = []
  for (let ms = startOf(Temporal.PlainDate.from(dates[0] as string)); ms < end; ms += 3_600_000) {
    const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
    const [date, time] = local.toPlainDateTime().toString({ smallestUnit: 'second' }).split('T')
    buckets.push({ day: `${date} ${time}`, dates: [], hour: [ms, Math.min(ms + 3_600_000, end)] })
  }
  return buckets
}

import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { TestEvent } from '../support/data/queries.ts'

/**
 * Computes a funnel by trying every attempt: slow and obvious. Supports ranges of whole days, `exact` filters and
 * windows in minutes.
 */

type Node = FunnelsQuery['series'][number]
type Filter = { readonly key: string; readonly value: string }

export interface DatedQuery extends FunnelsQuery {
  readonly dateRange: { readonly date_from: string; readonly date_to: string }
}

interface StepEvent {
  readonly event: string
  readonly person: string
  readonly uuid: string
  readonly ms: number
  readonly properties: Readonly<Record<string, unknown>>
}

/** The time of each completed step. */
type Attempt = readonly number[]

export interface ExpectedStep {
  readonly count: number
  readonly average_conversion_time: number | null
  readonly median_conversion_time: number | null
  readonly breakdown_value?: string
}

const OTHER = '$$_posthog_breakdown_other_$$'
const NONE = '$$_posthog_breakdown_null_$$'

export interface Best {
  readonly person: string
  readonly attempt: Attempt
  readonly value: string
}

/** Returns the furthest attempt of each person. */
export function bestAttempts(
  query: DatedQuery,
  allEvents: readonly TestEvent[],
  zone: string,
): Best[] {
  const events = allEvents.map(toStepEvent).filter(isInQuery).sort(inOrder)
  const persons = [...new Set(events.map(({ person }) => person))]
  return persons.flatMap((person) => {
    const own = events.filter((event) => event.person === person)
    const attempts = attemptsOf(query, own).filter(({ length }) => length > 0)
    const [attempt] = attempts.sort(betterFirst)
    return attempt ? [{ person, attempt, value: breakdownOf(query, own, attempt) }] : []
  })

  function isInQuery(event: StepEvent): boolean {
    const day = Temporal.Instant.fromEpochMilliseconds(event.ms)
      .toZonedDateTimeISO(zone)
      .toPlainDate()
      .toString()
    const { date_from, date_to } = query.dateRange
    return day >= date_from && day <= date_to && hasAll(event, query.properties as never)
  }
}

const toStepEvent = (event: TestEvent): StepEvent => ({
  event: event.event as string,
  person: event.person as string,
  uuid: event.uuid as string,
  ms: Date.parse(event.at),
  properties: event.properties ?? {},
})

const inOrder = (a: StepEvent, b: StepEvent): number => a.ms - b.ms || (a.uuid < b.uuid ? -1 : 1)

const hasAll = (event: StepEvent, filters: readonly Filter[] | null | undefined): boolean =>
  (filters ?? []).every(({ key, value }) => event.properties[key] === value)

const isStep = (node: Node | undefined, event: StepEvent): boolean =>
  node !== undefined &&
  (!node.event || node.event === event.event) &&
  hasAll(event, node.properties as never)

const windowOf = (query: DatedQuery): number =>
  (query.funnelsFilter?.funnelWindowInterval ?? 0) * 60_000

/** Sorts by most steps, then by earliest completion, then by latest start, with each step as late as possible. */
function betterFirst(a: Attempt, b: Attempt): number {
  if (a.length !== b.length) return b.length - a.length
  const last = a.length - 1
  if (a[last] !== b[last]) return (a[last] as number) - (b[last] as number)
  for (let step = last - 1; step >= 0; step--) {
    if (a[step] !== b[step]) return (b[step] as number) - (a[step] as number)
  }
  return 0
}

function attemptsOf(query: DatedQuery, own: readonly StepEvent[]): Attempt[] {
  const order = query.funnelsFilter?.funnelOrderType ?? 'ordered'
  if (order === 'ordered') return orderedAttempts(query, own)
  if (order === 'strict') return own.map((_, index) => strictAttempt(query, own.slice(index)))
  return unorderedAttempts(query, own)
}

/** Returns every way to choose events for the first steps. */
function orderedAttempts(query: DatedQuery, own: readonly StepEvent[]): Attempt[] {
  const found: Attempt[] = []
  extend([])
  return found

  function extend(taken: readonly StepEvent[]): void {
    if (taken.length > 0) found.push(taken.map(({ ms }) => ms))
    const node = query.series[taken.length]
    const before = query.series.slice(0, taken.length)
    const mustBeLater = before.some(
      (each) => !each.event || !node?.event || each.event === node.event,
    )
    for (const event of own.filter((each) => isStep(node, each))) {
      const [first, last] = [taken[0] ?? event, taken.at(-1)]
      if (event.ms - first.ms > windowOf(query)) continue
      if (last && (mustBeLater ? event.ms <= last.ms : event.ms < last.ms)) continue
      extend([...taken, event])
    }
  }
}

function strictAttempt(query: DatedQuery, following: readonly StepEvent[]): Attempt {
  const attempt: number[] = []
  for (const [index, event] of following.entries()) {
    if (!isStep(query.series[index], event)) break
    if (event.ms - (attempt[0] ?? event.ms) > windowOf(query)) break
    attempt.push(event.ms)
  }
  return attempt
}

/**
 * Returns an attempt for each event: the latest earlier event of each step. A repeated step takes the event before
 * that.
 */
function unorderedAttempts(query: DatedQuery, own: readonly StepEvent[]): Attempt[] {
  return own.map(({ ms: end }) => {
    const past = own.filter(({ ms }) => ms <= end).reverse()
    const times = query.series.map((node, index) => {
      const again = query.series
        .slice(0, index)
        .filter((other) => JSON.stringify(other) === JSON.stringify(node)).length
      return past.filter((event) => isStep(node, event))[again]?.ms
    })
    return times
      .filter((ms): ms is number => ms !== undefined && end - ms <= windowOf(query))
      .sort((a, b) => a - b)
  })
}

function breakdownOf(query: DatedQuery, own: readonly StepEvent[], attempt: Attempt): string {
  const isUnordered = query.funnelsFilter?.funnelOrderType === 'unordered'
  const firsts = isUnordered ? query.series : query.series.slice(0, 1)
  const values = own
    .filter(({ ms }) => ms === attempt[0])
    .filter((event) => firsts.some((node) => isStep(node, event)))
    .map(({ properties }) => String(properties.plan || NONE))
  return values.sort(byBytes)[0] as string
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Returns the shown breakdown values with the attempts counted for each. */
export function groupsOf(query: DatedQuery, best: readonly Best[]): [string, Best[]][] {
  const limit = query.breakdownFilter?.breakdown_limit ?? 25
  const sizes = new Map<string, number>()
  for (const { value } of best) sizes.set(value, (sizes.get(value) ?? 0) + 1)
  const top = [...sizes]
    .sort(([a, one], [b, other]) => other - one || byBytes(a, b))
    .map(([value]) => value)
    .slice(0, limit)
  const shown = top.map((value): [string, Best[]] => [value, best.filter((b) => b.value === value)])
  const rest = best.filter(({ value }) => !top.includes(value))
  return rest.length ? [...shown, [OTHER, rest]] : shown
}

export function expectSteps(query: DatedQuery, best: readonly Best[]): ExpectedStep[] {
  return query.series.map((_, index) => {
    const there = best.map(({ attempt }) => attempt).filter(({ length }) => length > index)
    const taken = there.map((times) => (times[index] as number) - (times[index - 1] as number))
    const some = index > 0 && taken.length > 0
    return {
      count: there.length,
      average_conversion_time: some ? toSeconds(sum(taken) / taken.length) : null,
      median_conversion_time: some ? toSeconds(median(taken)) : null,
    }
  })
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const toSeconds = (ms: number): number => Number((ms / 1000).toPrecision(12))

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
}

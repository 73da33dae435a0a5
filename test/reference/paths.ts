import type { PathsQuery } from '#model/query-kinds/paths.schema.ts'
import type { PathLink } from '#model/query-results.ts'
import type { TestEvent } from '../support/data/queries.ts'

/** Computes paths by following each person's steps. Expects events within the range and plain URLs. */

type Filter = NonNullable<PathsQuery['pathsFilter']>

interface Step {
  readonly name: string
  readonly ms: number
}

const HALF_AN_HOUR = 30 * 60_000

export function expectPaths(filter: Filter, events: readonly TestEvent[]): PathLink[] {
  const times = new Map<string, number[]>()
  for (const person of new Set(events.map((event) => event.person))) {
    const own = events.filter((event) => event.person === person)
    for (const session of sessionsOf(stepsOf(filter, own))) {
      const path = pathOf(filter, withoutRepeats(session))
      for (const [index, step] of path.entries()) {
        const before = path[index - 1]
        if (!before) continue
        const key = JSON.stringify([`${index}_${before.name}`, `${index + 1}_${step.name}`])
        times.set(key, [...(times.get(key) ?? []), step.ms - before.ms])
      }
    }
  }
  return toLinks(filter, times)
}

function stepsOf(filter: Filter, own: readonly TestEvent[]): Step[] {
  const types = filter.includeEventTypes ?? ['$pageview', 'custom_event']
  const steps: Step[] = []
  for (const { event = '', properties = {}, at } of own) {
    const type = event === '$pageview' || event === '$screen' ? event : 'custom_event'
    if (!types.includes(type)) continue
    if (type === 'custom_event' && event.startsWith('$')) continue
    const name = nameOf(event, properties)
    if (filter.excludeEvents?.includes(name)) continue
    steps.push({ name: groupOf(filter, name), ms: Date.parse(at) })
  }
  return steps.sort((a, b) => a.ms - b.ms || byBytes(a.name, b.name))
}

function nameOf(event: string, properties: Readonly<Record<string, unknown>>): string {
  if (event === '$screen') return String(properties.$screen_name ?? event)
  if (event !== '$pageview') return event
  if (typeof properties.$pathname === 'string') return properties.$pathname
  const url = properties.$current_url
  return typeof url === 'string' ? new URL(url).pathname : event
}

function groupOf(filter: Filter, name: string): string {
  const found = (filter.pathGroupings ?? []).find((pattern) => {
    const [start = '', end = ''] = pattern.split('*')
    return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
  })
  return found ?? name
}

function sessionsOf(steps: readonly Step[]): Step[][] {
  const sessions: Step[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const step of steps) {
    if (step.ms - last >= HALF_AN_HOUR) sessions.push([])
    sessions.at(-1)?.push(step)
    last = step.ms
  }
  return sessions
}

const withoutRepeats = (steps: readonly Step[]): Step[] =>
  steps.filter(({ name }, index) => name !== steps[index - 1]?.name)

function pathOf({ startPoint, endPoint, stepLimit }: Filter, steps: readonly Step[]): Step[] {
  const limit = stepLimit ?? 5
  const from = startPoint ? steps.findIndex(({ name }) => name === startPoint) : 0
  if (from < 0) return []
  const rest = steps.slice(from)
  if (!endPoint) return rest.slice(0, limit)
  const end = rest.findIndex(({ name }) => name === endPoint)
  if (end < 0) return []
  const path = rest.slice(0, end + 1)
  if (startPoint) return path.length <= limit ? path : []
  return path.slice(-limit)
}

function toLinks(filter: Filter, times: ReadonlyMap<string, readonly number[]>): PathLink[] {
  const links = [...times].map(([key, taken]): PathLink => {
    const [source, target] = JSON.parse(key) as [string, string]
    const average = taken.reduce((sum, each) => sum + each, 0) / taken.length
    return {
      source,
      target,
      value: taken.length,
      average_conversion_time: Number(average.toPrecision(12)),
    }
  })
  return links
    .filter(({ value }) => value >= (filter.minEdgeWeight ?? 0))
    .filter(({ value }) => value <= (filter.maxEdgeWeight ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => b.value - a.value || byBytes(a.source, b.source) || byBytes(a.target, b.target))
    .slice(0, filter.edgeLimit ?? 50)
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

import type { DateRange, EventsNode, Properties } from '#model/query-kinds/common.schema.ts'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import type { PathsQuery } from '#model/query-kinds/paths.schema.ts'
import type { RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'

export interface SqlQuery {
  readonly kind: 'HogQLQuery'
  readonly query: string
}

export type Source =
  | TrendsQuery
  | FunnelsQuery
  | RetentionQuery
  | LifecycleQuery
  | StickinessQuery
  | PathsQuery
  | SqlQuery

export type Kind = Source['kind']

/** A query and its display, as the editor edits them. Unknown keys are kept. */
export interface QueryNode {
  readonly kind: string
  readonly source: Source
  /** For SQL only; trends have their own. */
  readonly display?: string
}

export const KINDS: readonly {
  readonly kind: Kind
  readonly name: string
  readonly about: string
}[] = [
  { kind: 'TrendsQuery', name: 'Trends', about: 'Counts and values over time.' },
  { kind: 'FunnelsQuery', name: 'Funnel', about: 'Conversion from step to step.' },
  { kind: 'RetentionQuery', name: 'Retention', about: 'How often people come back.' },
  {
    kind: 'LifecycleQuery',
    name: 'Lifecycle',
    about: 'New, returning, resurrecting and dormant people.',
  },
  {
    kind: 'StickinessQuery',
    name: 'Stickiness',
    about: 'How many intervals people are active in.',
  },
  { kind: 'PathsQuery', name: 'Paths', about: 'Routes that people take.' },
  { kind: 'HogQLQuery', name: 'SQL', about: 'Any query, as one SELECT over events.' },
]

const isKind = (kind: unknown): kind is Kind => KINDS.some((known) => known.kind === kind)

const DEFAULT_SQL = `select toDate(timestamp) as day, count() as events, uniq(person_id) as people
from events
where timestamp >= now() - interval '30 day'
group by day
order by day`

export const ALL_EVENTS: EventsNode = { kind: 'EventsNode', event: null, name: 'All events' }

export const eventNode = (event: string | null): EventsNode =>
  event === null ? ALL_EVENTS : { kind: 'EventsNode', event, name: event }

const DEFAULT_SOURCES: { readonly [K in Kind]: Extract<Source, { kind: K }> } = {
  TrendsQuery: {
    kind: 'TrendsQuery',
    series: [{ ...ALL_EVENTS, math: 'total' }],
    interval: 'day',
    dateRange: { date_from: '-30d' },
  },
  FunnelsQuery: {
    kind: 'FunnelsQuery',
    series: [ALL_EVENTS, ALL_EVENTS],
    dateRange: { date_from: '-30d' },
    funnelsFilter: {
      funnelOrderType: 'ordered',
      funnelVizType: 'steps',
      funnelWindowInterval: 14,
      funnelWindowIntervalUnit: 'day',
    },
  },
  RetentionQuery: {
    kind: 'RetentionQuery',
    retentionFilter: {
      period: 'Week',
      totalIntervals: 8,
      retentionType: 'retention_first_time',
      targetEntity: { id: null, name: 'All events', type: 'events' },
      returningEntity: { id: null, name: 'All events', type: 'events' },
    },
  },
  LifecycleQuery: {
    kind: 'LifecycleQuery',
    series: [ALL_EVENTS],
    interval: 'day',
    dateRange: { date_from: '-30d' },
  },
  StickinessQuery: {
    kind: 'StickinessQuery',
    series: [ALL_EVENTS],
    interval: 'day',
    dateRange: { date_from: '-30d' },
  },
  PathsQuery: {
    kind: 'PathsQuery',
    dateRange: { date_from: '-30d' },
    pathsFilter: { stepLimit: 5, edgeLimit: 40 },
  },
  HogQLQuery: { kind: 'HogQLQuery', query: DEFAULT_SQL },
}

export const newNode = (kind: Kind): QueryNode => wrap(DEFAULT_SOURCES[kind])

/** Wraps a query in the default display. */
export const wrap = (source: Source): QueryNode =>
  source.kind === 'HogQLQuery'
    ? { kind: 'DataVisualizationNode', source, display: 'ActionsTable' }
    : { kind: 'InsightVizNode', source }

/** Wraps a bare query and keeps a wrapped one. undefined: not editable. */
export function toNode(query: object): QueryNode | undefined {
  const { kind, source } = query as { kind?: unknown; source?: unknown }
  if (isKind(kind)) return wrap(query as Source)
  if (typeof source !== 'object' || source === null) return undefined
  const inner = source as { kind?: unknown }
  return isKind(inner.kind) ? (query as QueryNode) : toNode(source)
}

interface Shared {
  readonly dateRange?: DateRange | null | undefined
  readonly properties?: Properties | null | undefined
  readonly filterTestAccounts?: boolean | null | undefined
}

/** Converts to another kind and keeps dates, filters and events where possible. */
export function toKind(node: QueryNode, kind: Kind): QueryNode {
  const { source } = node
  const fresh = newNode(kind)
  if (source.kind === kind || source.kind === 'HogQLQuery' || kind === 'HogQLQuery') {
    return source.kind === kind ? node : fresh
  }
  const { dateRange, properties, filterTestAccounts }: Shared = source
  const shared = {
    ...(dateRange && kind !== 'RetentionQuery' && { dateRange }),
    ...(properties && { properties }),
    ...(filterTestAccounts && { filterTestAccounts }),
  }
  return wrap(withEvents({ ...fresh.source, ...shared } as Source, eventsOf(source)))
}

export function eventsOf(source: Source): readonly EventsNode[] {
  if ('series' in source) return source.series
  if (source.kind !== 'RetentionQuery') return []
  const { targetEntity, returningEntity } = source.retentionFilter ?? {}
  return [targetEntity, returningEntity].map((entity) => eventNode(entity?.id ?? null))
}

function withEvents(source: Source, events: readonly EventsNode[]): Source {
  if (events.length === 0) return source
  switch (source.kind) {
    case 'FunnelsQuery':
      return { ...source, series: [...events, ...(events.length < 2 ? [ALL_EVENTS] : [])] }
    case 'LifecycleQuery':
      return { ...source, series: events.slice(0, 1).map(withoutMath) }
    case 'TrendsQuery':
      return { ...source, series: [...events] }
    case 'StickinessQuery':
      return { ...source, series: events.map(withoutMath) }
    case 'RetentionQuery': {
      const [first, last] = [events[0], events.at(-1)]
      const toEntity = (node?: EventsNode) => ({
        id: node?.event ?? null,
        name: node?.name ?? 'All events',
        type: 'events' as const,
      })
      const targetEntity = toEntity(first)
      const returningEntity = toEntity(last)
      return {
        ...source,
        retentionFilter: { ...source.retentionFilter, targetEntity, returningEntity },
      }
    }
    default:
      return source
  }
}

const withoutMath = ({ math: _, math_property: __, ...node }: EventsNode): EventsNode => node

/** A, B, C... */
export const seriesLetter = (index: number): string => String.fromCharCode(65 + index)

const PROPERTY_MATHS = ['sum', 'avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99']

export const needsProperty = ({ math }: EventsNode): boolean => PROPERTY_MATHS.includes(math ?? '')

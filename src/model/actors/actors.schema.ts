import { type Static, Type } from 'typebox'
import {
  choice,
  Modifiers,
  optional,
  options,
  Properties,
  QUERY_DISPLAY,
} from '../query-kinds/common.schema.ts'
import { STATUSES } from '../query-kinds/lifecycle.schema.ts'

/** More persons than this come page by page. */
export const MAX_ACTORS = 1000

/** Lists persons: all of a project, or those behind a number of a result. */
export const ActorsQuery = options(
  {
    kind: choice(['ActorsQuery']),
    /** An InsightActorsQuery, FunnelsActorsQuery or HogQLQuery, which has a schema of its own. */
    source: Type.Optional(Type.Unknown()),
    select: optional(Type.Array(Type.String({ minLength: 1, maxLength: 400 }), { maxItems: 100 })),
    search: optional(Type.String({ maxLength: 200 })),
    properties: optional(Properties),
    fixedProperties: optional(Properties),
    orderBy: optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 10 })),
    limit: optional(Type.Integer({ minimum: 1, maximum: MAX_ACTORS })),
    offset: optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    modifiers: optional(Modifiers),
  },
  QUERY_DISPLAY,
)
export type ActorsQuery = Static<typeof ActorsQuery>

/** Asks for the values with which the fields of its source can choose a number. */
export const ActorOptionsQuery = options(
  {
    kind: choice(['InsightActorsQueryOptions']),
    /** An InsightActorsQuery or FunnelsActorsQuery. */
    source: Type.Unknown(),
    modifiers: optional(Modifiers),
  },
  QUERY_DISPLAY,
)

const Value = Type.Union([Type.String({ maxLength: 10_000 }), Type.Number()])
const BreakdownValue = Type.Union([Value, Type.Array(Value, { maxItems: 3 })])
export type BreakdownValue = Static<typeof BreakdownValue>

const Day = Type.String({ maxLength: 50 })
const count = Type.Integer({ minimum: 0, maximum: 10_000 })

/** Chooses one number of a result. The descriptor of each kind says which of the fields it takes. */
export const InsightActorsQuery = options(
  {
    kind: choice(['InsightActorsQuery']),
    source: Type.Unknown(),
    series: optional(count),
    /** An element of `days`; null for the whole range. */
    day: optional(Type.Union([Day, count])),
    breakdown: optional(BreakdownValue),
    compare: optional(choice(['current', 'previous'])),
    status: optional(choice(STATUSES)),
    /** The row of a retention table. */
    interval: optional(count),
    /** The column of a retention table: how many intervals after the first the persons came back. */
    returned: optional(count),
    modifiers: optional(Modifiers),
  },
  QUERY_DISPLAY,
)
export type InsightActorsQuery = Static<typeof InsightActorsQuery>

/** Chooses one number of a funnel. */
export const FunnelsActorsQuery = options(
  {
    kind: choice(['FunnelsActorsQuery']),
    source: Type.Unknown(),
    /** 2: who reached the second step. -2: who reached the first step and not the second. */
    funnelStep: optional(Type.Integer({ minimum: -100, maximum: 100 })),
    funnelStepBreakdown: optional(BreakdownValue),
    funnelTrendsDropOff: optional(Type.Boolean()),
    /** The seconds from which, and below which, persons of a bin took to convert. */
    funnelTimeFrom: optional(Type.Integer({ minimum: 0 })),
    funnelTimeTo: optional(Type.Integer({ minimum: 0 })),
    /** An element of `days` of a funnel over time. */
    funnelTrendsEntrancePeriodStart: optional(Day),
    modifiers: optional(Modifiers),
  },
  QUERY_DISPLAY,
)
export type FunnelsActorsQuery = Static<typeof FunnelsActorsQuery>

import { type Static, Type } from 'typebox'
import {
  choice,
  Modifiers,
  optional,
  options,
  QUERY_DISPLAY,
} from '../query-kinds/common.schema.ts'

/** More events than this come page by page. */
export const MAX_EVENTS = 1000

/** Lists the events behind a number of a result. */
export const EventsQuery = options(
  {
    kind: choice(['EventsQuery']),
    /** An InsightActorsQuery or FunnelsActorsQuery, which has a schema of its own. */
    source: Type.Unknown(),
    select: optional(Type.Array(Type.String({ minLength: 1, maxLength: 400 }), { maxItems: 100 })),
    orderBy: optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 1 })),
    limit: optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS })),
    offset: optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    modifiers: optional(Modifiers),
  },
  QUERY_DISPLAY,
)
export type EventsQuery = Static<typeof EventsQuery>

import { type Static, Type } from 'typebox'
import {
  ActionId,
  choice,
  type EventsNode,
  NoBreakdown,
  optional,
  options,
  QUERY_DISPLAY,
  shared,
} from './common.schema.ts'

export const EVENT_TYPES = ['$pageview', '$screen', 'custom_event'] as const

const name = Type.String({ maxLength: 400 })
/** A step as results name it: `2_/pricing`. */
const step = Type.String({ maxLength: 10_000 })
const weight = Type.Integer({ minimum: 0 })

const PathAction = options({ kind: choice(['ActionsNode']), id: ActionId, name: optional(name) }, [
  'custom_name',
])

const PathsFilter = options(
  {
    /** Empty: no events besides those of actions. */
    includeEventTypes: optional(Type.Array(choice(EVENT_TYPES), { maxItems: 10 })),
    /** Their events are steps with the name of the action; of several, the first counts. */
    includeActions: optional(Type.Array(PathAction, { maxItems: 10 })),
    startPoint: optional(name),
    endPoint: optional(name),
    stepLimit: optional(Type.Integer({ minimum: 2, maximum: 20 })),
    edgeLimit: optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    minEdgeWeight: optional(weight),
    maxEdgeWeight: optional(weight),
    excludeEvents: optional(Type.Array(name, { maxItems: 100 })),
    /** Patterns in which `*` matches anything: `/products/*`. */
    pathGroupings: optional(Type.Array(name, { maxItems: 100 })),
    /** For the persons behind a path: who went on from a step, came to a step, or went no further. */
    pathStartKey: optional(step),
    pathEndKey: optional(step),
    pathDropoffKey: optional(step),
  },
  ['showFullUrls'],
)
export type PathAction = Static<typeof PathAction> & Pick<EventsNode, 'event' | 'rules'>
export type PathsFilter = Omit<Static<typeof PathsFilter>, 'includeActions'> & {
  readonly includeActions?: readonly PathAction[] | null
}

export const PathsQuery = options(
  {
    kind: choice(['PathsQuery']),
    ...shared,
    breakdownFilter: optional(NoBreakdown),
    pathsFilter: optional(PathsFilter),
  },
  QUERY_DISPLAY,
)
export type PathsQuery = Omit<Static<typeof PathsQuery>, 'pathsFilter'> & {
  readonly pathsFilter?: PathsFilter | null
}

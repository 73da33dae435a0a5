import { type Static, Type } from 'typebox'
import { choice, optional, options, PersonsNode } from './common.schema.ts'
import { WEB_DISPLAY, web } from './web.schema.ts'

export const WebGoalsQuery = options(
  {
    kind: choice(['WebGoalsQuery']),
    ...web,
    /** The events that are goals. Default: the most frequent ones that people named themselves. */
    goals: optional(Type.Array(PersonsNode, { maxItems: 20 })),
    limit: optional(Type.Integer({ minimum: 1, maximum: 20 })),
  },
  WEB_DISPLAY,
)
export type WebGoalsQuery = Static<typeof WebGoalsQuery>

import { type Static, Type } from 'typebox'
import { WEB_BREAKDOWNS, type WebBreakdown } from '../web-breakdowns.ts'
import { choice, optional, options } from './common.schema.ts'
import { WEB_DISPLAY, web } from './web.schema.ts'

export const WebStatsTableQuery = options(
  {
    kind: choice(['WebStatsTableQuery']),
    ...web,
    breakdownBy: choice(Object.keys(WEB_BREAKDOWNS) as WebBreakdown[]),
    /** Adds the share of visits that saw one page and ended quickly. */
    includeBounceRate: optional(Type.Boolean()),
    limit: optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    offset: optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  },
  WEB_DISPLAY,
)
export type WebStatsTableQuery = Static<typeof WebStatsTableQuery>

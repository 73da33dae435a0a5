import type { Static } from 'typebox'
import { choice, options } from './common.schema.ts'
import { WEB_DISPLAY, web } from './web.schema.ts'

export const WebOverviewQuery = options({ kind: choice(['WebOverviewQuery']), ...web }, WEB_DISPLAY)
export type WebOverviewQuery = Static<typeof WebOverviewQuery>

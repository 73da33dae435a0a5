import { defineLog } from '#server/features/activity/log.ts'
import { moveLast } from '#server/resource/resource.ts'
import { insightResource } from './fields.ts'
import type { InsightRow } from './store.ts'

/** An insight and the ids of its dashboards. */
interface InsightState {
  readonly row: InsightRow
  readonly dashboards: readonly number[]
}

export const insightLog = defineLog<InsightRow, InsightState>('Insight', {
  toName: ({ name, derived_name }) => name || (derived_name ?? ''),
  toLogged: ({ row, dashboards }) => ({
    ...moveLast(insightResource.toLogged(row), 'folder', 'favorited', 'saved'),
    dashboards,
  }),
})

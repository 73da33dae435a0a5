import { defineLog } from '#server/features/activity/log.ts'
import { moveLast } from '#server/resource/resource.ts'
import { insightResource } from '../insight-rows/fields.ts'
import type { InsightRow } from '../insight-rows/store.ts'

/** An insight and the ids of its dashboards. */
interface InsightState {
  readonly row: InsightRow
  readonly dashboards: readonly number[]
}

export const insightLog = defineLog<InsightRow, InsightState>('Insight', {
  toItem: ({ id, name, derived_name }) => ({ id, name: name || (derived_name ?? '') }),
  toLogged: ({ row, dashboards }) => ({
    ...moveLast(insightResource.toLogged(row), 'folder', 'favorited', 'saved'),
    dashboards,
  }),
})

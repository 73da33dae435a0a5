import { defineLog } from '#server/features/activity/log.ts'
import type { Target } from '../deliveries/schema.ts'
import { maskTarget } from '../deliveries/targets.ts'
import { alertResource } from './fields.ts'
import type { AlertRow } from './store.ts'

export const alertLog = defineLog<AlertRow>('Alert', {
  toItem: (alert) => alert,
  toLogged: (row) => ({
    ...(row.config_id === null ? { insight: row.insight_id } : { import: row.config_id }),
    ...alertResource.toLogged(row),
    targets: (JSON.parse(row.targets) as Target[]).map(maskTarget),
  }),
})

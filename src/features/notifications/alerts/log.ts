import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { changesBetween, insertActivity } from '#server/features/activity/store.ts'
import type { Target } from '../deliveries/schema.ts'
import { maskTarget } from '../deliveries/targets.ts'
import type { AlertRow } from './store.ts'

export const logAlert = (
  tx: Tx,
  caller: Caller,
  { id, name }: AlertRow,
  activity: string,
  changes: readonly Change[] = [],
): Promise<void> =>
  insertActivity(tx, { ...caller, scope: 'Alert', itemId: id, activity, name, changes })

export const alertChanges = (before: AlertRow, after: AlertRow): Change[] =>
  changesBetween('Alert', toLogged(before), toLogged(after))

const toLogged = (row: AlertRow): Record<string, unknown> => ({
  insight: row.insight_id,
  name: row.name,
  enabled: row.enabled === 1,
  condition: JSON.parse(row.condition),
  threshold: JSON.parse(row.threshold),
  config: JSON.parse(row.config),
  targets: (JSON.parse(row.targets) as Target[]).map(maskTarget),
  subscribed_users: JSON.parse(row.subscribed_users),
  calculation_interval: row.calculation_interval,
  skip_weekend: row.skip_weekend === 1,
  snoozed_until: row.snoozed_until,
})

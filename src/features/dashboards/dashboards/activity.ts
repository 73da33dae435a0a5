import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { insertActivity } from '#server/features/activity/store.ts'

/** Says in the activity log what the caller did to a dashboard. */
export const logDashboard = (
  tx: Tx,
  caller: Caller,
  { id, name }: { readonly id: number; readonly name: string },
  activity: string,
  changes: readonly Change[] = [],
): Promise<void> =>
  insertActivity(tx, { ...caller, scope: 'Dashboard', itemId: id, activity, name, changes })

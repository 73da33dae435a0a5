import type { Caller } from '../../access/guard.ts'
import type { Tx } from '../../db/schema.ts'
import type { Change } from '../activity/schema.ts'
import { insertActivity } from '../activity/store.ts'

/** Says in the activity log what the caller did to a dashboard. */
export const logDashboard = (
  tx: Tx,
  caller: Caller,
  { id, name }: { readonly id: number; readonly name: string },
  activity: string,
  changes: readonly Change[] = [],
): Promise<void> =>
  insertActivity(tx, { ...caller, scope: 'Dashboard', itemId: id, activity, name, changes })

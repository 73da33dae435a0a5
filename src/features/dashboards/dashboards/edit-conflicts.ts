import type { Tx } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { findLatestActivity } from '#server/features/activity/store.ts'

interface Dashboard {
  readonly id: number
  readonly project_id: number
}

/** Changes of sharing and collaborators cause no conflict, because the content stays the same. */
const EDITS = ['updated', 'deleted', 'restored']

const findLatestEdit = (tx: Tx, { id, project_id }: Dashboard): Promise<number> =>
  findLatestActivity(tx, { projectId: project_id, scope: 'Dashboard', itemId: id }, EDITS)

/** Prevents a client from overwriting an edit that it has not seen. */
export async function requireNoUnseenEdit(
  tx: Tx,
  dashboard: Dashboard,
  seen: number,
): Promise<void> {
  if ((await findLatestEdit(tx, dashboard)) <= seen) return
  throw conflict('Someone else changed this dashboard. Reload it, then save again.')
}

/** Call it in the transaction of the caller's own edit: that edit is the last one the caller has seen. */
export const findSeenEdit = async (tx: Tx, dashboard: Dashboard, seen: number): Promise<number> =>
  Math.max(seen, await findLatestEdit(tx, dashboard))

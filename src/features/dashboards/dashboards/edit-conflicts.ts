import type { Db, Tx } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'

interface Dashboard {
  readonly id: number
  readonly project_id: number
}

/** Who shares a dashboard, or invites to it, leaves what it shows as it was. */
const EDITS = ['updated', 'deleted', 'restored']

async function findLatestEdit(db: Db, { id, project_id }: Dashboard): Promise<number> {
  const { latest } = await db
    .selectFrom('activity')
    .select((eb) => eb.fn.max('id').as('latest'))
    .where('project_id', '=', project_id)
    .where('scope', '=', 'Dashboard')
    .where('item_id', '=', id)
    .where('activity', 'in', EDITS)
    .executeTakeFirstOrThrow()
  return Number(latest ?? 0)
}

/** So that nobody overwrites what they have not seen. */
export async function requireNoUnseenEdit(
  tx: Tx,
  dashboard: Dashboard,
  seen: number,
): Promise<void> {
  if ((await findLatestEdit(tx, dashboard)) <= seen) return
  throw conflict(
    'Somebody else changed this dashboard meanwhile. Look at it again, then change it.',
  )
}

/** In the same transaction as the caller's edit: whatever is newer, the caller has not seen. */
export const findSeenEdit = async (tx: Tx, dashboard: Dashboard, seen: number): Promise<number> =>
  Math.max(seen, await findLatestEdit(tx, dashboard))

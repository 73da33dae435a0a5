import type { Caller } from '#server/access/guard.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { logDashboard } from '../dashboards/activity.ts'
import { getDashboardRow } from '../dashboards/dashboards.ts'
import { updateDashboard } from '../dashboards/store.ts'
import { requireInsightEdit } from '../insight-rows/rights.ts'
import { listPlacements } from '../insight-rows/store.ts'
import { insightLog } from '../insights/activity.ts'
import { getInsightRow } from '../insights/insights.ts'
import type { LinkRow, LinkTarget } from '../link-store.ts'
import { requireEdit } from '../rights.ts'

/** A dashboard or an insight that has public links. */
export interface LinkOwner {
  readonly noun: 'Dashboard' | 'Insight'
  readonly target: LinkTarget
  /** Whether the first link is turned on, which only a dashboard has. */
  readonly isShared: boolean
  readonly isTrashed: boolean
  requireEdit(db: Db): void | Promise<void>
  /** Turns the first link off. */
  turnOff(tx: Tx): Promise<unknown>
  log(tx: Tx, activity: string, changes: Change[]): Promise<void>
}

/** Finds a dashboard or an insight by the ID in a path, or throws `notFound`. */
export type GetOwner = (db: Db, caller: Caller, id: string) => Promise<LinkOwner>

export const getDashboardOwner: GetOwner = async (db, caller, id) => {
  const row = await getDashboardRow(db, caller, requireId(id, 'Dashboard'), 'Dashboard')
  return {
    noun: 'Dashboard',
    target: { dashboard_id: row.id },
    isShared: row.is_shared === 1,
    isTrashed: row.deleted === 1,
    requireEdit: () => requireEdit(caller, row),
    turnOff: (tx) => updateDashboard(tx, row, { is_shared: 0 }),
    log: (tx, activity, changes) => logDashboard(tx, caller, row, activity, changes),
  }
}

export const getInsightOwner: GetOwner = async (db, caller, id) => {
  const row = await getInsightRow(db, caller, id)
  return {
    noun: 'Insight',
    target: { insight_id: row.id },
    isShared: false,
    isTrashed: row.deleted === 1,
    requireEdit: async (from) =>
      requireInsightEdit(caller, await listPlacements(from, caller, [row.id])),
    turnOff: async () => undefined,
    log: (tx, activity, changes) => insightLog.logActivity(tx, caller, row, activity, changes),
  }
}

/** Finds what a link leads to. */
export const getOwnerOf = (db: Db, caller: Caller, link: LinkRow): Promise<LinkOwner> =>
  link.insight_id === null
    ? getDashboardOwner(db, caller, String(link.dashboard_id))
    : getInsightOwner(db, caller, String(link.insight_id))

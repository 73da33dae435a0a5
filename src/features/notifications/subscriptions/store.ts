import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import { databaseTime, isPostgres } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { insightsTrashedWith } from '#server/features/dashboards/dashboards/trash-store.ts'

export type SubscriptionRow = Selectable<Schema['subscriptions']>

/** Longer than computing may take: the process that claimed it must have died. */
const LEASE_S = 10 * 60

const selectSubscriptions = (db: Db, projectId: number) =>
  db.selectFrom('subscriptions').where('project_id', '=', projectId)

export interface SubscriptionFilter {
  readonly insight?: number | undefined
  readonly dashboard?: number | undefined
}

/** Sorted by newest first. */
export async function listSubscriptionRows(
  db: Db,
  projectId: number,
  { insight, dashboard }: SubscriptionFilter,
  { limit, offset }: PageRange,
): Promise<Slice<SubscriptionRow>> {
  let matches = selectSubscriptions(db, projectId)
  if (insight !== undefined) matches = matches.where('insight_id', '=', insight)
  if (dashboard !== undefined) matches = matches.where('dashboard_id', '=', dashboard)
  const newestFirst = matches.selectAll().orderBy('id', 'desc')
  const results = await newestFirst.limit(limit).offset(offset).execute()
  const count = await countRows(matches)
  return { count, results }
}

export const findSubscription = (
  db: Db,
  projectId: number,
  id: number,
): Promise<SubscriptionRow | undefined> =>
  selectSubscriptions(db, projectId).selectAll().where('id', '=', id).executeTakeFirst()

export const insertSubscription = (
  tx: Tx,
  row: Insertable<Schema['subscriptions']>,
): Promise<SubscriptionRow> =>
  tx.insertInto('subscriptions').values(row).returningAll().executeTakeFirstOrThrow()

export const updateSubscription = (
  tx: Tx,
  { id, project_id }: SubscriptionRow,
  columns: Updateable<Schema['subscriptions']>,
): Promise<SubscriptionRow> =>
  tx
    .updateTable('subscriptions')
    .set(columns)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function deleteSubscription(
  tx: Tx,
  { id, project_id }: SubscriptionRow,
): Promise<void> {
  await tx
    .deleteFrom('subscriptions')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Lists the enabled subscriptions to a dashboard, and to the insights that were trashed with it. */
export const listEnabledSubscriptions = (
  db: Db,
  projectId: number,
  dashboardId: number,
): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db, projectId)
    .selectAll()
    .where('enabled', '=', 1)
    .where((eb) =>
      eb.or([
        eb('dashboard_id', '=', dashboardId),
        eb('insight_id', 'in', insightsTrashedWith(db, projectId, dashboardId)),
      ]),
    )
    .orderBy('id')
    .execute()

/** Finds a live dashboard, with the columns that its results depend on. */
export const findSubscribedDashboard = (db: Db, projectId: number, id: number) =>
  db
    .selectFrom('dashboards')
    .select(['id', 'project_id', 'name', 'filters', 'variables'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('deleted', '=', 0)
    .executeTakeFirst()

/** Claims the subscription that has been due longest, until its lease ends. */
export function claimSubscription(db: Db): Promise<SubscriptionRow | undefined> {
  const at = databaseTime(db)
  const due = db
    .selectFrom('subscriptions as next')
    .select('next.id')
    .where('next.enabled', '=', sql.lit(1))
    .where('next.next_delivery_date', '<=', at)
    .where((eb) =>
      eb.or([eb('next.claimed_until', 'is', null), eb('next.claimed_until', '<=', at)]),
    )
    .orderBy('next.next_delivery_date')
    .orderBy('next.id')
    .limit(1)
  return db
    .updateTable('subscriptions')
    .set({ claimed_until: databaseTime(db, LEASE_S) })
    .where('id', '=', isPostgres(db) ? due.forUpdate().skipLocked() : due)
    .returningAll()
    .executeTakeFirst()
}

/** Returns false if another process has sent it in the meantime, or if it was changed. */
export async function scheduleNextDelivery(
  tx: Tx,
  row: SubscriptionRow,
  next: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('subscriptions')
    .set({ next_delivery_date: next, claimed_until: null })
    .where('id', '=', row.id)
    .where('next_delivery_date', '=', row.next_delivery_date)
    .where('enabled', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { toInsightTitle } from '#model/insight-title.ts'
import { countRows } from '#server/db/count-rows.ts'
import { databaseTime, isPostgres } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { insightsTrashedWith } from '#server/features/dashboards/dashboards/trash-store.ts'
import type { NamedInsight } from '../deliveries/notification.ts'

export type AlertRow = Selectable<Schema['alerts']>

/** Longer than a query may take: the process that claimed it must have died. */
const LEASE_S = 5 * 60

const selectAlerts = (db: Db, projectId: number) =>
  db.selectFrom('alerts').where('project_id', '=', projectId)

/** Sorted by newest first. */
export async function listAlertRows(
  db: Db,
  projectId: number,
  { insight, config }: { readonly insight?: number; readonly config?: number },
  { limit, offset }: PageRange,
): Promise<Slice<AlertRow>> {
  const all = selectAlerts(db, projectId)
  const ofInsight = insight === undefined ? all : all.where('insight_id', '=', insight)
  const matches = config === undefined ? ofInsight : ofInsight.where('config_id', '=', config)
  const results = await matches
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const count = await countRows(matches)
  return { count, results }
}

export const findAlert = (db: Db, projectId: number, uuid: string): Promise<AlertRow | undefined> =>
  selectAlerts(db, projectId).selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const insertAlert = (tx: Tx, row: Insertable<Schema['alerts']>): Promise<AlertRow> =>
  tx.insertInto('alerts').values(row).returningAll().executeTakeFirstOrThrow()

export const updateAlert = (
  tx: Tx,
  { id, project_id }: Pick<AlertRow, 'id' | 'project_id'>,
  columns: Updateable<Schema['alerts']>,
): Promise<AlertRow> =>
  tx
    .updateTable('alerts')
    .set(columns)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Postpones the check of an alert that skips weekends, unless it no longer does. */
export async function postponeCheck(
  tx: Tx,
  { id, project_id }: AlertRow,
  until: string,
): Promise<void> {
  await tx
    .updateTable('alerts')
    .set({ next_check_at: until })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('skip_weekend', '=', 1)
    .where('next_check_at', '<', until)
    .execute()
}

export async function deleteAlert(tx: Tx, { id, project_id }: AlertRow): Promise<void> {
  await tx.deleteFrom('alerts').where('project_id', '=', project_id).where('id', '=', id).execute()
}

/**
 * Records the result of a check, unless the alert was changed, disabled, snoozed or checked against a newer result in
 * the meantime. The update locks the row, so of two concurrent checks the second sees the state that the first left.
 */
export function recordCheck(
  tx: Tx,
  { id, insight_id, config, condition }: AlertRow,
  measuredAt: string,
  columns: Pick<Updateable<Schema['alerts']>, 'last_value' | 'usual_range' | 'last_error'>,
): Promise<AlertRow | undefined> {
  return tx
    .updateTable('alerts')
    .set({ ...columns, last_checked_at: now(), measured_at: measuredAt })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where('insight_id', '=', insight_id)
    .where('config', '=', config)
    .where('condition', '=', condition)
    .where('measured_at', '<=', measuredAt)
    .where((eb) => eb.or([eb('snoozed_until', 'is', null), eb('snoozed_until', '<=', now())]))
    .returningAll()
    .executeTakeFirst()
}

/** An alert on an insight, with its query. */
export interface AlertWithQuery extends AlertRow {
  readonly insight_id: number
  readonly query: string
}

/** Lists the insights of some alerts, by ID. */
export async function listNamedInsights(
  db: Db,
  alerts: readonly AlertRow[],
): Promise<ReadonlyMap<number, NamedInsight>> {
  if (alerts.length === 0) return new Map()
  const projectIds = [...new Set(alerts.map(({ project_id }) => project_id))]
  const ids = [...new Set(alerts.flatMap(({ insight_id }) => insight_id ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('insights')
    .select(['id', 'short_id', 'name', 'derived_name'])
    .where('project_id', 'in', projectIds)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, short_id, name, derived_name }) => [
      id,
      { id, short_id, name: toInsightTitle({ name, derived_name }) },
    ]),
  )
}

/** Lists the alerts of some insights that are enabled and not snoozed. */
export async function listActiveAlerts(
  db: Db,
  projectId: number,
  insightIds: readonly number[],
): Promise<AlertWithQuery[]> {
  if (insightIds.length === 0) return []
  return db
    .selectFrom('alerts')
    .innerJoin('insights', 'insights.id', 'alerts.insight_id')
    .selectAll('alerts')
    .select(['insights.query', 'insights.id as insight_id'])
    .where('alerts.project_id', '=', projectId)
    .where('alerts.insight_id', 'in', insightIds)
    .where('alerts.enabled', '=', 1)
    .where('insights.deleted', '=', 0)
    .where((eb) =>
      eb.or([eb('alerts.snoozed_until', 'is', null), eb('alerts.snoozed_until', '<=', now())]),
    )
    .orderBy('alerts.id')
    .execute()
}

/** Lists the enabled alerts of the insights that were trashed with a dashboard. */
export const listEnabledAlerts = (
  db: Db,
  projectId: number,
  dashboardId: number,
): Promise<AlertRow[]> =>
  selectAlerts(db, projectId)
    .selectAll()
    .where('enabled', '=', 1)
    .where('insight_id', 'in', insightsTrashedWith(db, projectId, dashboardId))
    .orderBy('id')
    .execute()

/** Claims the alert that has been due longest, until its lease ends. */
export async function claimAlert(db: Db): Promise<AlertWithQuery | undefined> {
  const at = databaseTime(db)
  const due = db
    .selectFrom('alerts as next')
    .innerJoin('insights', 'insights.id', 'next.insight_id')
    .select('next.id')
    .where('next.enabled', '=', sql.lit(1))
    .where('next.next_check_at', '<=', at)
    .where('insights.deleted', '=', 0)
    .where((eb) =>
      eb.or([eb('next.snoozed_until', 'is', null), eb('next.snoozed_until', '<=', at)]),
    )
    .orderBy('next.next_check_at')
    .orderBy('next.id')
    .limit(1)
  const claimed = await db
    .updateTable('alerts')
    .set({ next_check_at: databaseTime(db, LEASE_S) })
    .where('id', '=', isPostgres(db) ? due.forUpdate('next').skipLocked() : due)
    .returningAll()
    .executeTakeFirst()
  if (!claimed) return undefined
  const insight = await db
    .selectFrom('insights')
    .select(['query', 'id as insight_id'])
    .where('id', '=', claimed.insight_id)
    .executeTakeFirstOrThrow()
  return { ...claimed, ...insight }
}

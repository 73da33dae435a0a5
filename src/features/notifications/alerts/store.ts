import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { isPostgres, timeOfDatabase } from '#server/db/dialect.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { Slice, Window } from '#server/db/window.ts'

export type AlertRow = Selectable<Schema['alerts']>

/** Longer than a query may take: after that whoever checked it is dead. */
const LEASE_S = 5 * 60

const alertsOf = (db: Db, projectId: number) =>
  db.selectFrom('alerts').where('project_id', '=', projectId)

/** The newest first. */
export async function listAlertRows(
  db: Db,
  projectId: number,
  insightId: number | undefined,
  { limit, offset }: Window,
): Promise<Slice<AlertRow>> {
  const all = alertsOf(db, projectId)
  const matches = insightId === undefined ? all : all.where('insight_id', '=', insightId)
  const results = await matches
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { count } = await matches
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), results }
}

export const findAlert = (db: Db, projectId: number, uuid: string): Promise<AlertRow | undefined> =>
  alertsOf(db, projectId).selectAll().where('uuid', '=', uuid).executeTakeFirst()

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

/** An alert and what it watches. */
export interface AlertWithQuery extends AlertRow {
  readonly query: string
}

/** Those of some insights that are to be looked at now. */
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
    .select('insights.query')
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

/** The one that has been due longest, for whoever claims it until the lease ends. */
export async function claimAlert(db: Db): Promise<AlertWithQuery | undefined> {
  const at = timeOfDatabase(db)
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
    .set({ next_check_at: timeOfDatabase(db, LEASE_S) })
    .where('id', '=', isPostgres(db) ? due.forUpdate('next').skipLocked() : due)
    .returningAll()
    .executeTakeFirst()
  if (!claimed) return undefined
  const insight = await db
    .selectFrom('insights')
    .select('query')
    .where('id', '=', claimed.insight_id)
    .executeTakeFirstOrThrow()
  return { ...claimed, ...insight }
}

import { sql } from 'kysely'
import { databaseTime, isPostgres } from '#server/db/dialect.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { AlertRow } from '../store.ts'

/** A process that claimed an alert and died must not delay it by more than a minute. */
const LEASE_S = 30

/** Claims the alert on an import that has been due longest, until its lease ends. */
export function claimImportAlert(db: Db): Promise<AlertRow | undefined> {
  const at = databaseTime(db)
  const due = db
    .selectFrom('alerts as next')
    .select('next.id')
    .where('next.enabled', '=', sql.lit(1))
    .where('next.config_id', 'is not', null)
    .where('next.next_check_at', '<=', at)
    .where((eb) =>
      eb.or([eb('next.snoozed_until', 'is', null), eb('next.snoozed_until', '<=', at)]),
    )
    .orderBy('next.next_check_at')
    .orderBy('next.id')
    .limit(1)
  return db
    .updateTable('alerts')
    .set({ next_check_at: databaseTime(db, LEASE_S) })
    .where('id', '=', isPostgres(db) ? due.forUpdate('next').skipLocked() : due)
    .returningAll()
    .executeTakeFirst()
}

/** Locks an alert for its check. Returns undefined if it was deleted, disabled or snoozed in the meantime. */
export function lockImportAlert(tx: Tx, { id }: AlertRow): Promise<AlertRow | undefined> {
  return tx
    .updateTable('alerts')
    .set({ last_checked_at: now() })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('snoozed_until', 'is', null), eb('snoozed_until', '<=', now())]))
    .returningAll()
    .executeTakeFirst()
}

/** Lists the names of the imports that some alerts watch, by config. */
export async function listImportNames(
  db: Db,
  alerts: readonly AlertRow[],
): Promise<ReadonlyMap<number, string>> {
  const ids = alerts.flatMap(({ config_id }) => config_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('plugin_configs as config')
    .leftJoin('plugins as plugin', 'plugin.id', 'config.plugin_id')
    .select(['config.id', 'config.name', 'plugin.name as app'])
    .where('config.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name, app }) => [id, name || app || '']))
}

export const findImportName = async (db: Db, alert: AlertRow): Promise<string> =>
  (await listImportNames(db, [alert])).get(alert.config_id ?? 0) ?? ''

import { sql } from 'kysely'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db, Tx } from '#server/db/schema.ts'

export const MAX_STATE_MIB = 32
export const MAX_STATE_BYTES = MAX_STATE_MIB * 1024 * 1024

/** The bytes of a row beside its key and value. */
const ROW_BYTES = 100

export const toSize = (key: string, value: string): number =>
  Buffer.byteLength(key) + Buffer.byteLength(value) + ROW_BYTES

export interface StateTotal {
  readonly bytes: number
  /** Increases with each change. 0: it was never changed. */
  readonly version: number
}

export async function findTotal(db: Db, configId: number): Promise<StateTotal> {
  const row = await db
    .selectFrom('app_storage_totals')
    .select(['bytes', 'version'])
    .where('config_id', '=', configId)
    .executeTakeFirst()
  return row ?? { bytes: 0, version: 0 }
}

/** Serializes the changes of one config's state, because each locks its total. Returns it with the new version. */
export const lockTotal = (tx: Tx, configId: number): Promise<StateTotal> =>
  tx
    .insertInto('app_storage_totals')
    .values({ config_id: configId, bytes: 0, version: 1 })
    .onConflict((conflict) =>
      conflict
        .column('config_id')
        .doUpdateSet({ version: sql<number>`app_storage_totals.version + 1` }),
    )
    .returning(['bytes', 'version'])
    .executeTakeFirstOrThrow()

export async function updateTotal(tx: Tx, configId: number, bytes: number): Promise<void> {
  await tx
    .updateTable('app_storage_totals')
    .set({ bytes })
    .where('config_id', '=', configId)
    .execute()
}

/** Lists the stored values, which are JSON texts, by their keys. */
export const listEntries = (db: Db, configId: number): Promise<{ key: string; value: string }[]> =>
  db
    .selectFrom('app_storage')
    .select(['key', 'value'])
    .where('config_id', '=', configId)
    .orderBy('key')
    .execute()

export async function deleteEntries(tx: Tx, configId: number): Promise<void> {
  await tx.deleteFrom('app_storage').where('config_id', '=', configId).execute()
}

export async function insertEntries(
  tx: Tx,
  configId: number,
  entries: readonly { readonly key: string; readonly value: string; readonly size: number }[],
): Promise<void> {
  if (entries.length === 0) return
  await tx
    .insertInto('app_storage')
    .values(entries.map((entry) => ({ config_id: configId, ...entry })))
    .execute()
}

/**
 * Holds back the runs of a config until the commit, and returns whether one is active. On PostgreSQL the locks keep
 * workers from claiming queued runs, and schedulers from queueing others.
 */
export async function holdRuns(tx: Tx, configId: number): Promise<{ readonly isActive: boolean }> {
  if (isPostgres(tx)) {
    await tx
      .selectFrom('plugin_configs')
      .select('id')
      .where('id', '=', configId)
      .forUpdate()
      .execute()
    await tx
      .selectFrom('runs')
      .select('id')
      .where('config_id', '=', configId)
      .where('state', '=', sql.lit('queued'))
      .forUpdate()
      .execute()
  }
  const active = await tx
    .selectFrom('runs')
    .select('id')
    .where('config_id', '=', configId)
    .where('state', '=', sql.lit('running'))
    .where('dry_run', '=', 0)
    .executeTakeFirst()
  return { isActive: active !== undefined }
}

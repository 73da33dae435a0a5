import type { Insertable, Selectable } from 'kysely'
import type { Db, Schema, Tx } from '#server/db/schema.ts'

export type SecretRow = Selectable<Schema['embed_secrets']>
export type SettingsRow = Selectable<Schema['embed_settings']>

/** Lists the secrets of a project, the oldest first. */
export const listSecretRows = (db: Db, projectId: number): Promise<SecretRow[]> =>
  db
    .selectFrom('embed_secrets')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()

/** Finds a secret by its name in tokens, which is unique among all projects. */
export const findSecretByKid = (db: Db, kid: string): Promise<SecretRow | undefined> =>
  db.selectFrom('embed_secrets').selectAll().where('kid', '=', kid).executeTakeFirst()

export const insertSecret = (
  tx: Tx,
  row: Insertable<Schema['embed_secrets']>,
): Promise<SecretRow> =>
  tx.insertInto('embed_secrets').values(row).returningAll().executeTakeFirstOrThrow()

export const deleteSecret = (tx: Tx, { project_id, id }: SecretRow) =>
  tx.deleteFrom('embed_secrets').where('project_id', '=', project_id).where('id', '=', id).execute()

export const updateSecretLastUsed = (tx: Tx, { id }: SecretRow, at: string) =>
  tx.updateTable('embed_secrets').set({ last_used_at: at }).where('id', '=', id).execute()

/** Returns the settings of a project; without a row those that it starts with. */
export async function findSettings(db: Db, projectId: number): Promise<SettingsRow> {
  const row = await db
    .selectFrom('embed_settings')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row ?? { project_id: projectId, jwks_url: null, embed_origins: null }
}

export async function saveSettings(tx: Tx, row: SettingsRow): Promise<void> {
  const { project_id: _, ...columns } = row
  await tx
    .insertInto('embed_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(columns))
    .execute()
}

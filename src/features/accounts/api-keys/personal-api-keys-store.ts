import type { Selectable, Updateable } from 'kysely'
import type { Db, Schema } from '#server/db/schema.ts'
import type { PersonalApiKey } from './schema.ts'

export type ApiKeyRow = Selectable<Schema['api_keys']>

export const listPersonalApiKeyRows = (db: Db, userId: number): Promise<ApiKeyRow[]> =>
  selectKeys(db, userId).selectAll().orderBy('created_at', 'desc').orderBy('id').execute()

export const findPersonalApiKey = (
  db: Db,
  userId: number,
  id: string,
): Promise<ApiKeyRow | undefined> =>
  selectKeys(db, userId).selectAll().where('id', '=', id).executeTakeFirst()

export async function countPersonalApiKeys(db: Db, userId: number): Promise<number> {
  const keys = selectKeys(db, userId).select((eb) => eb.fn.countAll().as('count'))
  return Number((await keys.executeTakeFirstOrThrow()).count)
}

export const updatePersonalApiKey = (
  db: Db,
  { id, user_id }: ApiKeyRow,
  changes: Updateable<Schema['api_keys']>,
): Promise<ApiKeyRow> =>
  db
    .updateTable('api_keys')
    .set({ id, ...changes })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirstOrThrow()

const selectKeys = (db: Db, userId: number) =>
  db.selectFrom('api_keys').where('user_id', '=', userId)

export const toPersonalApiKey = (row: ApiKeyRow, value: string | null = null): PersonalApiKey => ({
  id: row.id,
  label: row.label,
  description: row.description,
  value,
  mask_value: row.mask,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  last_rolled_at: row.last_rolled_at,
  expires_at: row.expires_at,
  user_id: row.user_id,
  scopes: JSON.parse(row.scopes),
  scoped_teams: row.projects === null ? [] : JSON.parse(row.projects),
  scoped_organizations: [],
  is_legacy_hashing: false,
  local_dev_value: null,
})

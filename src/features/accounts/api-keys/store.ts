import type { Selectable } from 'kysely'
import type { Db, Schema } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'

/** An API key without its value, which is shown only when the key is created. */
export interface ApiKey {
  readonly id: string
  readonly user: { readonly id: number; readonly uuid: string; readonly email: string }
  readonly label: string
  readonly mask: string
  readonly scopes: readonly string[]
  /** null: every project of its owner. */
  readonly projects: readonly number[] | null
  readonly expires_at: string | null
  readonly created_at: string
  readonly last_used_at: string | null
}

export async function listApiKeys(db: Db, userId?: number): Promise<ApiKey[]> {
  const keys = userId === undefined ? selectKeys(db) : selectKeys(db).where('user_id', '=', userId)
  const rows = await keys.orderBy('api_keys.created_at').orderBy('api_keys.id').execute()
  return rows.map(toApiKey)
}

export async function findApiKey(db: Db, id: string): Promise<ApiKey | undefined> {
  const row = await selectKeys(db).where('api_keys.id', '=', id).executeTakeFirst()
  return row && toApiKey(row)
}

export async function deleteApiKey(db: Db, id: string): Promise<void> {
  await db.deleteFrom('api_keys').where('id', '=', id).execute()
}

export async function deleteExpiredApiKeys(db: Db, labels: readonly string[]): Promise<void> {
  await db
    .deleteFrom('api_keys')
    .where('label', 'in', labels)
    .where('expires_at', '<', now())
    .execute()
}

const selectKeys = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(['users.uuid', 'users.email'])

type KeyWithUser = Selectable<Schema['api_keys']> & { uuid: string; email: string }

const toApiKey = (row: KeyWithUser): ApiKey => ({
  id: row.id,
  user: { id: row.user_id, uuid: row.uuid, email: row.email },
  label: row.label,
  mask: row.mask,
  scopes: JSON.parse(row.scopes),
  projects: row.projects === null ? null : JSON.parse(row.projects),
  expires_at: row.expires_at,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
})

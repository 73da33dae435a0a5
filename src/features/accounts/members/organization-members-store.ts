import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { deleteSecondFactors } from '../second-factor/store.ts'
import type { UserRow } from '../users/store.ts'
import { ORGANIZATION_LEVELS } from './organization-levels.ts'

export async function countOwners(db: Db): Promise<number> {
  const owners = db.selectFrom('users').select((eb) => eb.fn.countAll().as('count'))
  const { count } = await owners
    .where('level', '=', ORGANIZATION_LEVELS.owner)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const updateLevel = (db: Db, id: number, level: number): Promise<UserRow> =>
  db
    .updateTable('users')
    .set({ level })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function deleteInvitesBy(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('invites').where('created_by', '=', userId).execute()
}

/** Deletes every credential and membership, and frees the e-mail address for a new user. */
export async function revokeAccess(tx: Tx, { id, uuid }: UserRow): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', id).execute()
  await deleteSecondFactors(tx, id)
  await tx.deleteFrom('one_time_tokens').where('user_id', '=', id).execute()
  await tx.deleteFrom('api_keys').where('user_id', '=', id).execute()
  await tx.deleteFrom('project_members').where('user_id', '=', id).execute()
  await tx.deleteFrom('collaborators').where('user_id', '=', id).execute()
  await deleteInvitesBy(tx, id)
  await tx
    .updateTable('users')
    .set({
      removed_at: now(),
      email_key: `removed ${uuid}`,
      level: ORGANIZATION_LEVELS.member,
      current_project_id: null,
      password_hash: null,
    })
    .where('id', '=', id)
    .execute()
}

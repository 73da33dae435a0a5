import { generateToken, hashToken } from '#server/access/sessions.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'

export type OneTimeTokenKind = Schema['one_time_tokens']['kind']

const DAY = 86_400
const SECONDS: Readonly<Record<OneTimeTokenKind, number>> = {
  set_up: 7 * DAY,
  reset_password: DAY,
  second_step: 600,
}

/** Stores only the hash, so the database does not reveal usable tokens. */
export async function insertOneTimeToken(
  db: Db,
  kind: OneTimeTokenKind,
  userId: number,
  seconds = SECONDS[kind],
): Promise<string> {
  const token = generateToken()
  await db
    .insertInto('one_time_tokens')
    .values({
      hash: hashToken(token),
      kind,
      user_id: userId,
      created_at: now(),
      expires_at: inSeconds(seconds),
      used_at: null,
    })
    .execute()
  return token
}

/** Returns the user of a token that can still be used. */
export async function findOneTimeTokenUser(
  db: Db,
  kind: OneTimeTokenKind,
  token: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('one_time_tokens')
    .select('user_id')
    .where('hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .executeTakeFirst()
  return row?.user_id
}

/** Marks the token as used and returns its user, in one statement, so only one of two concurrent requests succeeds. */
export async function consumeOneTimeToken(
  tx: Tx,
  kind: OneTimeTokenKind,
  token: string,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('one_time_tokens')
    .set({ used_at: now() })
    .where('hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

export async function hasUsableToken(db: Db, kind: OneTimeTokenKind): Promise<boolean> {
  const row = await db
    .selectFrom('one_time_tokens')
    .select('user_id')
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Invalidates the unused tokens of a user, by default of every kind. */
export async function deleteOneTimeTokens(
  db: Db,
  userId: number,
  kind?: OneTimeTokenKind,
): Promise<void> {
  const unused = db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
  await (kind ? unused.where('kind', '=', kind) : unused).execute()
}

/** Deletes tokens that can no longer be used, where people create one each time they sign in. */
export async function deleteSpentTokens(
  db: Db,
  userId: number,
  kind: OneTimeTokenKind,
): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('used_at', 'is not', null), eb('expires_at', '<=', now())]))
    .execute()
}

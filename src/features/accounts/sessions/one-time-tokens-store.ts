import { generateToken, hashToken } from '#server/access/sessions.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'

export type OneTimeTokenKind = Schema['one_time_tokens']['kind']

const DAY = 86_400
const SECONDS: Readonly<Record<OneTimeTokenKind, number>> = { set_up: 7 * DAY, reset_password: DAY }

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

/** Invalidates the unused links of a user. */
export async function deleteOneTimeTokens(db: Db, userId: number): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

import { hashToken, generateToken } from '#server/access/sessions.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'

type Kind = Schema['one_time_tokens']['kind']

const DAY = 86_400
const SECONDS: Readonly<Record<Kind, number>> = { set_up: 7 * DAY, reset_password: DAY }

/** Only its hash is kept: whoever reads the database cannot use it. */
export async function createOneTimeToken(db: Db, kind: Kind, userId: number): Promise<string> {
  const token = generateToken()
  await db
    .insertInto('one_time_tokens')
    .values({
      hash: hashToken(token),
      kind,
      user_id: userId,
      created_at: now(),
      expires_at: inSeconds(SECONDS[kind]),
      used_at: null,
    })
    .execute()
  return token
}

/** Whose it is. One statement finds and spends it, so that of two that come at once only one is let in. */
export async function spendOneTimeToken(tx: Tx, kind: Kind, token: string): Promise<number> {
  const row = await tx
    .updateTable('one_time_tokens')
    .set({ used_at: now() })
    .where('hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .returning('user_id')
    .executeTakeFirst()
  if (row) return row.user_id
  throw invalid('token', 'This link was used before, or is too old. Ask for another one.')
}

/** Whoever chose a new password does not want the links of before to work. */
export async function deleteOneTimeTokens(db: Db, userId: number): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { requireLength, requireName } from '#server/http/names.ts'
import type { SetUp } from '../accounts/sessions/schema.ts'
import { redeemOneTimeToken, setPassword } from '../accounts/sessions/sessions.ts'
import { hashPassword, requirePassword } from '../accounts/users/passwords.ts'
import { updateUser } from '../accounts/users/store.ts'
import { requireEmail, requireFreeEmail } from '../accounts/users/users.ts'

/** Gives the owner of the first start a name, an e-mail and a password, and calls `proceed` to sign in. */
export async function setUpOwner<T>(
  db: Db,
  sent: SetUp,
  proceed: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> {
  const first_name = requireName('first_name', sent.first_name, 150)
  const last_name = requireLength('last_name', sent.last_name ?? '', 150)
  const email = requireEmail(sent.email)
  requirePassword('password', sent.password)
  return changeAccess(db, async (tx) => {
    const userId = await redeemOneTimeToken(tx, 'set_up', sent.token)
    await requireFreeEmail(tx, email, userId)
    await updateUser(tx, userId, { first_name, last_name, email })
    await setPassword(tx, userId, await hashPassword(sent.password))
    return proceed(tx, userId)
  })
}

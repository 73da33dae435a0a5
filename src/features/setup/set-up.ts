import { changeAccess } from '../../db/change.ts'
import type { Db } from '../../db/schema.ts'
import { requireName } from '../names.ts'
import { spendOneTimeToken } from '../sessions/one-time-tokens.ts'
import type { SetUp } from '../sessions/schema.ts'
import { setPassword } from '../users/account.ts'
import { hashPassword, requirePassword } from '../users/passwords.ts'
import { updateUser } from '../users/store.ts'
import { requireEmail, requireFreeEmail } from '../users/users.ts'

/** The owner that the first start made up becomes a person. */
export async function setUpOwner(db: Db, sent: SetUp): Promise<number> {
  const first_name = requireName('first_name', sent.first_name, 150)
  const email = requireEmail(sent.email)
  requirePassword('password', sent.password)
  return changeAccess(db, async (tx) => {
    const userId = await spendOneTimeToken(tx, 'set_up', sent.token)
    await requireFreeEmail(tx, email, userId)
    await updateUser(tx, userId, { first_name, email })
    await setPassword(tx, userId, await hashPassword(sent.password))
    return userId
  })
}

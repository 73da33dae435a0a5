import type { Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { doesNotExist, invalid } from '#server/errors.ts'
import { requireLength, requireName } from '#server/http/names.ts'
import { getMe, visibleProjects } from '../projects/projects.ts'
import type { Me } from '../projects/schema.ts'
import { deleteOneTimeTokens } from '../sessions/one-time-tokens-store.ts'
import { checkPassword, type PasswordThrottle } from '../sessions/sign-in.ts'
import { deleteOtherSessions } from '../sessions/store.ts'
import type { MePatch, PasswordChange } from './account-schema.ts'
import { hashPassword, requirePassword, verifyPassword } from './passwords.ts'
import { updatePasswordHash, updateUser } from './store.ts'
import { getUser, requireEmail, requireFreeEmail } from './users.ts'

/** Who changes their own account, and from where they try passwords. */
export interface AccountCaller {
  readonly holder: Principal
  readonly address: string
  readonly throttle: PasswordThrottle
}

export async function patchMe(db: Db, owner: AccountCaller, patch: MePatch): Promise<Me> {
  const { holder } = owner
  const email = patch.email === undefined ? undefined : requireEmail(patch.email)
  const project = patch.set_current_team
  if (project !== undefined && !visibleProjects(holder).includes(project)) {
    throw doesNotExist('set_current_team', project)
  }
  const fields = {
    first_name: optional(patch.first_name, (text) => requireName('first_name', text, 150)),
    last_name: optional(patch.last_name, (text) => requireLength('last_name', text, 150)),
    current_project_id: project,
  }
  const before = await getUser(db, `${holder.userId}`)
  const moves = email !== undefined && email !== before.email
  if (moves) await requireCurrentPassword(db, owner, patch.current_password)
  return changeAccess(db, async (tx) => {
    if (moves) await requireFreeEmail(tx, email, holder.userId)
    await updateUser(tx, holder.userId, { ...fields, ...(moves && { email }) })
    return getMe(tx, { ...holder, currentProject: project ?? holder.currentProject })
  })
}

const optional = <T>(text: string | undefined, to: (text: string) => T): T | undefined =>
  text === undefined ? undefined : to(text)

/** Whoever sits down at somebody's open browser must not be able to take the account with them. */
async function requireCurrentPassword(
  db: Db,
  { holder, address, throttle }: AccountCaller,
  given: string | null | undefined,
): Promise<void> {
  const user = await getUser(db, `${holder.userId}`)
  if (user.password_hash === null) return
  if (!given) throw invalid('current_password', 'This field is required.', 'required')
  const isRight = await checkPassword(throttle, address, user.email, () =>
    verifyPassword(given, user.password_hash),
  )
  if (!isRight) throw invalid('current_password', 'The current password is wrong.')
}

/** Whoever is signed in elsewhere has to know the new one. */
export async function changePassword(
  db: Db,
  owner: AccountCaller,
  { current_password, new_password }: PasswordChange,
): Promise<void> {
  requirePassword('new_password', new_password)
  await requireCurrentPassword(db, owner, current_password)
  const hash = await hashPassword(new_password)
  await changeAccess(db, async (tx) => {
    await setPassword(tx, owner.holder.userId, hash)
    await deleteOtherSessions(tx, owner.holder.userId, owner.holder.keyId)
  })
}

/** Links that were made to choose a password do not work any more. */
export async function setPassword(tx: Tx, userId: number, hash: string): Promise<void> {
  await updatePasswordHash(tx, userId, hash)
  await deleteOneTimeTokens(tx, userId)
}

import type { Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { doesNotExist, invalid, required } from '#server/errors.ts'
import { requireLength, requireName } from '#server/http/names.ts'
import { getMe } from '../projects/projects.ts'
import type { Me } from '../projects/schema.ts'
import { setPassword } from '../sessions/sessions.ts'
import { checkPassword, type PasswordThrottle } from '../sessions/sign-in.ts'
import { deleteOtherSessions } from '../sessions/store.ts'
import { hashPassword, requirePassword, verifyPassword } from '../users/passwords.ts'
import { updateUser } from '../users/store.ts'
import { getUser, requireEmail, requireFreeEmail } from '../users/users.ts'
import type { MePatch, PasswordChange } from './schema.ts'

/** The user who changes their own account, and the limiter of their password attempts. */
export interface AccountCaller {
  readonly principal: Principal
  readonly address: string
  readonly throttle: PasswordThrottle
}

export const toAccountCaller = (
  { principal, ip }: { readonly principal: Principal; readonly ip: string },
  throttle: PasswordThrottle,
): AccountCaller => ({ principal, address: ip, throttle })

export async function patchMe(db: Db, caller: AccountCaller, patch: MePatch): Promise<Me> {
  const { principal } = caller
  const email = patch.email === undefined ? undefined : requireEmail(patch.email)
  const project = patch.set_current_team
  if (project !== undefined && !principal.memberOf.has(project)) {
    throw doesNotExist('set_current_team', project)
  }
  const fields = {
    first_name: optional(patch.first_name, (text) => requireName('first_name', text, 150)),
    last_name: optional(patch.last_name, (text) => requireLength('last_name', text, 150)),
    current_project_id: project,
  }
  const before = await getUser(db, `${principal.userId}`)
  const isNewEmail = email !== undefined && email !== before.email
  if (isNewEmail) await requireCurrentPassword(db, caller, patch.current_password)
  return changeAccess(db, async (tx) => {
    if (isNewEmail) await requireFreeEmail(tx, email, principal.userId)
    await updateUser(tx, principal.userId, { ...fields, ...(isNewEmail && { email }) })
    return getMe(tx, { ...principal, currentProject: project ?? principal.currentProject })
  })
}

const optional = <T>(text: string | undefined, to: (text: string) => T): T | undefined =>
  text === undefined ? undefined : to(text)

/** Keeps someone at an unlocked browser from taking over the account. */
export async function requireCurrentPassword(
  db: Db,
  { principal, address, throttle }: AccountCaller,
  given: string | null | undefined,
): Promise<void> {
  const user = await getUser(db, `${principal.userId}`)
  if (user.password_hash === null) return
  if (!given) throw required('current_password')
  const device = principal.isSession ? `session ${principal.keyId}` : undefined
  const isRight = await checkPassword(throttle, { address, email: user.email, device }, () =>
    verifyPassword(given, user.password_hash),
  )
  if (!isRight) throw invalid('current_password', 'The current password is wrong.')
}

/** Ends the user's other sessions. */
export async function changePassword(
  db: Db,
  caller: AccountCaller,
  { current_password, new_password }: PasswordChange,
): Promise<void> {
  requirePassword('new_password', new_password)
  await requireCurrentPassword(db, caller, current_password)
  const hash = await hashPassword(new_password)
  await changeAccess(db, async (tx) => {
    await setPassword(tx, caller.principal.userId, hash)
    await deleteOtherSessions(tx, caller.principal.userId, caller.principal.keyId)
  })
}

import type { Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { conflict, required } from '#server/errors.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { getOrganizationRow } from '../projects/organization.ts'
import {
  type AuthenticatorKey,
  findCounter,
  generateRecoveryCodes,
  generateSecret,
  hashRecoveryCode,
  normalizeCode,
  parseSecret,
  toAuthenticatorKey,
  toSecretText,
} from '../second-factor/codes.ts'
import {
  confirmPendingSecret,
  countRecoveryCodes,
  deleteAuthenticatorApp,
  deleteSecondFactors,
  findSecondFactor,
  hasAuthenticatorApp,
  hasSecondFactor,
  replaceRecoveryCodeHashes,
  savePendingSecret,
} from '../second-factor/store.ts'
import { type CodeThrottle, countCode, requireCode, wrongCode } from '../second-factor/use-code.ts'
import { deleteOneTimeTokens } from '../sessions/one-time-tokens-store.ts'
import { deleteOtherSessions, deleteSessions } from '../sessions/store.ts'
import { lockUser } from '../users/store.ts'
import { getUser } from '../users/users.ts'
import { type AccountCaller, requireCurrentPassword } from './account.ts'
import type {
  RecoveryCodes,
  SecondFactor,
  SecondFactorProof,
  SecondFactorStart,
} from './second-factor-schema.ts'

export interface SecondFactorDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly codeThrottle: CodeThrottle
}

export async function getSecondFactor(db: Db, { userId }: Principal): Promise<SecondFactor> {
  const factor = await findSecondFactor(db, userId)
  const confirmedAt = factor?.confirmed_at ?? null
  return {
    is_enabled: confirmedAt !== null,
    confirmed_at: confirmedAt,
    recovery_codes_left: confirmedAt === null ? 0 : await countRecoveryCodes(db, userId),
  }
}

/** Creates a secret, which does nothing until it is confirmed. Replacing a second factor needs a code of it. */
export async function startSecondFactor(
  { db, secrets, codeThrottle }: SecondFactorDeps,
  caller: AccountCaller,
  { current_password, code }: SecondFactorStart,
): Promise<AuthenticatorKey> {
  const { userId } = caller.principal
  await requireCurrentPassword(db, caller, current_password)
  const { email } = await getUser(db, `${userId}`)
  const secret = generateSecret()
  const save = (tx: Tx) => savePendingSecret(tx, userId, secrets.encryptText(toSecretText(secret)))
  if (await hasAuthenticatorApp(db, userId)) {
    if (code === undefined) throw required('code')
    await countCode(codeThrottle, { userId, address: caller.address }, () =>
      changeAccess(db, async (tx) => {
        await requireCode(tx, secrets, userId, code)
        await save(tx)
      }),
    )
  } else await changeAccess(db, save)
  return toAuthenticatorKey(secret, email)
}

/** Starts to ask for codes at sign-in, with new recovery codes. Ends the user's other sessions. */
export async function confirmSecondFactor(
  { db, secrets, codeThrottle }: SecondFactorDeps,
  { principal, address }: AccountCaller,
  code: string,
): Promise<RecoveryCodes & { readonly isReplaced: boolean }> {
  const { userId } = principal
  return countCode(codeThrottle, { userId, address }, () =>
    changeAccess(db, async (tx) => {
      await lockUser(tx, userId) // a sign-in that has not seen the second factor must be over
      const factor = await findSecondFactor(tx, userId)
      if (!factor?.pending_secret) throw conflict('Start the set-up of the second factor first.')
      const secret = parseSecret(secrets.decryptText(factor.pending_secret))
      const counter = findCounter(secret, normalizeCode(code), 0)
      if (counter === undefined) throw wrongCode()
      await confirmPendingSecret(tx, userId, { secret: factor.pending_secret, counter })
      await endOtherSignIns(tx, principal)
      return { ...(await createRecoveryCodes(tx, userId)), isReplaced: factor.secret !== null }
    }),
  )
}

export const replaceRecoveryCodes = (
  deps: SecondFactorDeps,
  caller: AccountCaller,
  proof: SecondFactorProof,
): Promise<RecoveryCodes> =>
  changeWithProof(deps, caller, proof, (tx, userId) => createRecoveryCodes(tx, userId))

/** Ends the user's other sessions. */
export const removeSecondFactor = (
  deps: SecondFactorDeps,
  caller: AccountCaller,
  proof: SecondFactorProof,
): Promise<void> =>
  changeWithProof(deps, caller, proof, async (tx, userId) => {
    await deleteAuthenticatorApp(tx, userId)
    if (!(await hasSecondFactor(tx, userId))) await requireOptional(tx)
    await endOtherSignIns(tx, caller.principal)
  })

/** Removes the second factor of a user who lost it, for the operator. Ends all sessions. Returns false without one. */
export const resetSecondFactor = (db: Db, userId: number): Promise<boolean> =>
  changeAccess(db, async (tx) => {
    const existed = await hasSecondFactor(tx, userId)
    await deleteSecondFactors(tx, userId)
    await deleteOneTimeTokens(tx, userId, 'second_step')
    await deleteSessions(tx, userId)
    return existed
  })

/** Someone at an unlocked browser has neither the password nor a code. */
async function changeWithProof<T>(
  { db, secrets, codeThrottle }: SecondFactorDeps,
  caller: AccountCaller,
  { current_password, code }: SecondFactorProof,
  change: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> {
  const { userId } = caller.principal
  await requireCurrentPassword(db, caller, current_password)
  if (!(await hasAuthenticatorApp(db, userId))) throw conflict('You have no authenticator app.')
  return countCode(codeThrottle, { userId, address: caller.address }, () =>
    changeAccess(db, async (tx) => {
      await requireCode(tx, secrets, userId, code)
      return change(tx, userId)
    }),
  )
}

export async function requireOptional(tx: Tx): Promise<void> {
  const { second_factor_required_at } = await getOrganizationRow(tx)
  if (second_factor_required_at === null) return
  throw conflict(
    'Your organization requires a second factor. Replace it, or set up another one first.',
  )
}

export async function createRecoveryCodes(tx: Tx, userId: number): Promise<RecoveryCodes> {
  const codes = generateRecoveryCodes()
  await replaceRecoveryCodeHashes(tx, userId, codes.map(hashRecoveryCode))
  return { recovery_codes: codes }
}

export async function endOtherSignIns(tx: Tx, { userId, keyId }: Principal): Promise<void> {
  await deleteOtherSessions(tx, userId, keyId)
  await deleteOneTimeTokens(tx, userId, 'second_step')
}

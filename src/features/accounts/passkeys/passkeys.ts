import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { json, now, randomText } from '#server/db/values.ts'
import { conflict, invalid, notFound, required } from '#server/errors.ts'
import { requireName } from '#server/http/names.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { type AccountCaller, requireCurrentPassword } from '../account/account.ts'
import { createRecoveryCodes, endOtherSignIns, requireOptional } from '../account/second-factor.ts'
import {
  consumeChallenge,
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeyRows,
  type PasskeyRow,
} from '../second-factor/passkeys-store.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import {
  deleteRecoveryCodes,
  hasAuthenticatorApp,
  hasSecondFactor,
} from '../second-factor/store.ts'
import { type CodeThrottle, countCode, requireCode } from '../second-factor/use-code.ts'
import { lockUser } from '../users/store.ts'
import { getUser } from '../users/users.ts'
import type { CreatedPasskey, Passkey, PasskeyCreate, PasskeyProof } from './schema.ts'

export interface PasskeyDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly codeThrottle: CodeThrottle
}

const MAX_PASSKEYS = 20
/** EdDSA, ES256 and RS256: what every device has one of. */
const ALGORITHMS = [-8, -7, -257]

export const listPasskeys = async (db: Db, userId: number): Promise<Passkey[]> =>
  (await listPasskeyRows(db, userId)).map(toPasskey)

/** The challenge carries the proof on to the second request. */
export async function startRegistration(
  deps: PasskeyDeps,
  caller: AccountCaller,
  party: RelyingParty,
  proof: PasskeyProof,
) {
  const { db } = deps
  const { userId } = caller.principal
  const existing = await changeWithProof(deps, caller, proof, (tx) => listPasskeyRows(tx, userId))
  if (existing.length >= MAX_PASSKEYS) {
    throw conflict(`An account can have at most ${MAX_PASSKEYS} passkeys. Delete one first.`)
  }
  const { uuid, email, first_name, last_name } = await getUser(db, `${userId}`)
  // loaded on demand: it costs start-up time and memory
  const { generateRegistrationOptions } = await import('./webauthn.ts')
  const options = await generateRegistrationOptions({
    rpName: 'Hedgerow',
    rpID: party.id,
    userName: email,
    userID: new Uint8Array(Buffer.from(uuid)),
    userDisplayName: `${first_name} ${last_name}`.trim() || email,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await insertChallenge(db, options.challenge, userId)
  return options
}

/** The first second factor of an account comes with recovery codes, and ends other sessions. */
export async function createPasskey(
  { db }: PasskeyDeps,
  { principal }: AccountCaller,
  party: RelyingParty,
  { name, credential: sent }: PasskeyCreate,
): Promise<CreatedPasskey> {
  const { userId } = principal
  const credential = await verifyRegistration(db, userId, party, sent)
  const row: PasskeyRow = {
    id: randomText(22),
    user_id: userId,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: json(sent.response.transports ?? []),
    name: requireName('name', name, 60),
    created_at: now(),
    last_used_at: null,
  }
  return changeAccess(db, async (tx) => {
    await lockUser(tx, userId) // a sign-in that has not seen the second factor must be over
    if (await findPasskey(tx, row.credential_id)) throw conflict('This passkey exists already.')
    const isFirst = !(await hasSecondFactor(tx, userId))
    await insertPasskey(tx, row)
    if (!isFirst) return { passkey: toPasskey(row), recovery_codes: null }
    await endOtherSignIns(tx, principal)
    return { passkey: toPasskey(row), ...(await createRecoveryCodes(tx, userId)) }
  })
}

async function verifyRegistration(
  db: Db,
  userId: number,
  party: RelyingParty,
  sent: PasskeyCreate['credential'],
) {
  const { verifyRegistrationResponse } = await import('./webauthn.ts')
  const result = await verifyRegistrationResponse({
    response: { ...sent, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: (challenge) => consumeChallenge(db, challenge, userId),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (result?.verified) return result.registrationInfo.credential
  throw invalid('credential', 'The passkey was not accepted, or it took too long. Try again.')
}

/** The last second factor stays while the organization requires one. */
export const removePasskey = (
  deps: PasskeyDeps,
  caller: AccountCaller,
  id: string,
  proof: PasskeyProof,
): Promise<void> =>
  changeWithProof(deps, caller, proof, async (tx) => {
    const { userId } = caller.principal
    if (!(await deletePasskey(tx, userId, id))) throw notFound('Passkey')
    await endOtherSignIns(tx, caller.principal)
    if (await hasSecondFactor(tx, userId)) return
    await requireOptional(tx)
    await deleteRecoveryCodes(tx, userId)
  })

/** Someone at an unlocked browser has neither the password nor a code. */
async function changeWithProof<T>(
  { db, secrets, codeThrottle }: PasskeyDeps,
  caller: AccountCaller,
  { current_password, code }: PasskeyProof,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { userId } = caller.principal
  await requireCurrentPassword(db, caller, current_password)
  if (!(await hasAuthenticatorApp(db, userId))) return changeAccess(db, change)
  if (code === undefined) throw required('code')
  return countCode(codeThrottle, { userId, address: caller.address }, () =>
    changeAccess(db, async (tx) => {
      await requireCode(tx, secrets, userId, code)
      return change(tx)
    }),
  )
}

export const toPasskey = ({ id, name, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  created_at,
  last_used_at,
})

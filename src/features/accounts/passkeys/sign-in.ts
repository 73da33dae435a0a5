import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { type ApiError, invalid } from '#server/errors.ts'
import {
  consumeChallenge,
  findPasskey,
  insertChallenge,
  recordPasskeyUse,
} from '../second-factor/passkeys-store.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import type { PasskeySignIn } from './schema.ts'

/** The device finds the user: nothing tells whether an account exists. */
export async function startPasskeySignIn(db: Db, { id }: RelyingParty) {
  const { generateAuthenticationOptions } = await import('./webauthn.ts')
  const options = await generateAuthenticationOptions({ rpID: id, userVerification: 'required' })
  await insertChallenge(db, options.challenge, undefined)
  return options
}

/** Calls `proceed` with the user of the passkey. The device has verified the user, so this is two factors in one. */
export async function signInWithPasskey<T>(
  db: Db,
  party: RelyingParty,
  { credential }: PasskeySignIn,
  proceed: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> {
  const { verifyAuthenticationResponse } = await import('./webauthn.ts')
  const { userHandle, ...response } = credential.response
  const passkey = await findPasskey(db, credential.id)
  if (!passkey) throw refused()
  const owner = Buffer.from(passkey.user_uuid).toString('base64url')
  if (userHandle != null && userHandle !== owner) throw refused()
  const result = await verifyAuthenticationResponse({
    response: { ...credential, response, clientExtensionResults: {} } as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => consumeChallenge(db, challenge, undefined),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!result?.verified) throw refused()
  return changeUncached(db, async (tx) => {
    const { newCounter } = result.authenticationInfo
    if (!(await recordPasskeyUse(tx, passkey.id, newCounter))) throw refused()
    return proceed(tx, passkey.user_id)
  })
}

const refused = (): ApiError =>
  invalid(null, 'This passkey is not known here, or it took too long. Try again.')

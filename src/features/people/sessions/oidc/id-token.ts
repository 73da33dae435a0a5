import { createPublicKey, verify, type webcrypto } from 'node:crypto'
import { failed } from './problem.ts'

/** What is believed of a token, once it is known to be the provider's. */
export interface Claims {
  readonly email: string | undefined
  readonly isEmailVerified: boolean
}

export interface SigningKey extends webcrypto.JsonWebKey {
  readonly kid?: string
}

export interface Expected {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
}

/** Anything else is refused, `none` and shared secrets first of all. */
const KEY_TYPES: Readonly<Record<string, string>> = { RS256: 'RSA', ES256: 'EC' }

/** Clocks differ. */
const LEEWAY_SECONDS = 60

interface Parts {
  readonly header: Record<string, unknown>
  readonly claims: Record<string, unknown>
  readonly signed: string
  readonly signature: Buffer
}

function split(token: string): Parts {
  const [header = '', claims = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) throw failed('The ID token has too many parts.')
  try {
    return {
      header: toObject(header),
      claims: toObject(claims),
      signed: `${header}.${claims}`,
      signature: Buffer.from(signature, 'base64url'),
    }
  } catch {
    throw failed('The ID token is no JSON Web Token.')
  }
}

const toObject = (part: string): Record<string, unknown> => ({
  ...JSON.parse(Buffer.from(part, 'base64url').toString()),
})

/** The key that the token says it was signed with: undefined if there is none such. */
export function findKey(token: string, keys: readonly SigningKey[]): SigningKey | undefined {
  const { alg, kid } = split(token).header
  const type = KEY_TYPES[String(alg)]
  if (!type) throw failed(`The ID token is signed by ${alg}, and only RS256 and ES256 are known.`)
  return keys.find(
    (key) =>
      key.kty === type &&
      (kid === undefined || key.kid === kid) &&
      (key.use === undefined || key.use === 'sig') &&
      (key.alg === undefined || key.alg === alg),
  )
}

export function readClaims(
  token: string,
  key: SigningKey,
  { issuer, clientId, nonce }: Expected,
  nowSeconds: number = Date.now() / 1000,
): Claims {
  const { claims, signed, signature } = split(token)
  if (!isSigned(signed, signature, key)) throw failed('The ID token is not signed by the provider.')
  if (claims.iss !== issuer) throw failed(`The ID token was issued by ${claims.iss}.`)
  if (!isFor(clientId, claims)) throw failed(`The ID token is meant for ${claims.aud}.`)
  if (claims.nonce !== nonce) throw failed('The ID token belongs to another sign-in.')
  if (!(Number(claims.exp) + LEEWAY_SECONDS > nowSeconds)) {
    throw failed('The ID token has expired.')
  }
  return {
    email: typeof claims.email === 'string' ? claims.email : undefined,
    // some providers write it as text
    isEmailVerified: String(claims.email_verified) === 'true',
  }
}

function isSigned(signed: string, signature: Buffer, jwk: SigningKey): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const curve = key.asymmetricKeyDetails?.namedCurve
    if (curve !== undefined && curve !== 'prime256v1') return false
    return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** A token for several parties names the one that asked for it. */
function isFor(clientId: string, { aud, azp }: Record<string, unknown>): boolean {
  const audience = [aud].flat()
  if (!audience.includes(clientId)) return false
  return azp === undefined ? audience.length === 1 : azp === clientId
}

import type { JWTPayload, JWTVerifyOptions } from 'jose'
import { changeUncached } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { EgressError } from '#server/egress/egress-error.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { LEEWAY_SECONDS } from './claims.ts'
import type { FindKeySet } from './key-sets.ts'
import { findSecretByKid, findSettings, type SecretRow, updateSecretLastUsed } from './store.ts'

export interface VerifyDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly findKeySet: FindKeySet
}

export interface VerifiedToken {
  readonly projectId: number
  readonly claims: Readonly<Record<string, unknown>>
}

/** Why a token does not count. Only a wrong one is counted, because pages that stay open ask with one that has ended. */
export type Rejected = { readonly rejected: 'wrong' | 'ended' }

const WRONG: Rejected = { rejected: 'wrong' }
const ENDED: Rejected = { rejected: 'ended' }

/** Far more than a list of filters needs. */
const MAX_LENGTH = 8192
const LAST_USED_PRECISION_MS = 3_600_000

/** Verifies a token by a secret of its project, or by the keys that its project publishes. */
export async function verifyToken(
  deps: VerifyDeps,
  token: string,
  findProject: (claims: JWTPayload) => Promise<number | undefined>,
): Promise<VerifiedToken | Rejected> {
  if (token.length > MAX_LENGTH) return WRONG
  const jose = await import('jose')
  try {
    const { alg, kid } = jose.decodeProtectedHeader(token)
    if (!kid) return WRONG
    // the algorithm decides which kind of key is looked up, so no key can be used as another kind
    if (alg === 'HS256') return await verifyBySecret(deps, token, kid)
    if (alg !== 'RS256') return WRONG
    return await verifyByKeySet(deps, token, await findProject(jose.decodeJwt(token)))
  } catch (error) {
    if (error instanceof jose.errors.JWTExpired) return ENDED
    if (error instanceof jose.errors.JOSEError || error instanceof TypeError) return WRONG
    if (error instanceof EgressError) return WRONG
    throw error
  }
}

const toOptions = (algorithm: 'HS256' | 'RS256'): JWTVerifyOptions => ({
  algorithms: [algorithm],
  clockTolerance: LEEWAY_SECONDS,
})

async function verifyBySecret(
  { db, secrets }: VerifyDeps,
  token: string,
  kid: string,
): Promise<VerifiedToken | Rejected> {
  const row = await findSecretByKid(db, kid)
  if (!row) return WRONG
  const { jwtVerify } = await import('jose')
  const key = Buffer.from(secrets.decryptText(row.secret))
  const { payload } = await jwtVerify(token, key, toOptions('HS256'))
  if (hasEnded(payload)) return ENDED
  await recordUse(db, row)
  return { projectId: row.project_id, claims: payload }
}

/** The project is what the token says, so it counts only once that project's keys have verified it. */
async function verifyByKeySet(
  { db, findKeySet }: VerifyDeps,
  token: string,
  projectId: number | undefined,
): Promise<VerifiedToken | Rejected> {
  const url = projectId && (await findSettings(db, projectId)).jwks_url
  if (!projectId || !url) return WRONG
  const { jwtVerify } = await import('jose')
  const { payload } = await jwtVerify(token, await findKeySet(url), toOptions('RS256'))
  return hasEnded(payload) ? ENDED : { projectId, claims: payload }
}

/** The leeway is for clocks that are ahead, not for tokens that have ended. */
const hasEnded = ({ exp }: JWTPayload): boolean => exp !== undefined && exp <= Date.now() / 1000

/** Writes at most once an hour, as for keys. */
async function recordUse(db: Db, row: SecretRow): Promise<void> {
  const last = Date.parse(row.last_used_at ?? '') || 0
  if (Date.now() - last < LAST_USED_PRECISION_MS) return
  // the page opens even if that cannot be stored, as on a full disk
  await changeUncached(db, (tx) => updateSecretLastUsed(tx, row, now())).catch(() => undefined)
}

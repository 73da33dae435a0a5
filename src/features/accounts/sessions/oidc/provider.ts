import type { Configuration, CustomFetch, IDToken, ServerMetadata } from 'openid-client'
import type { Egress } from '#server/egress/egress.ts'
import { createGuardedFetch } from '#server/egress/guarded-fetch.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** undefined: this is a public client. */
  readonly clientSecret: string | undefined
  /** The provider's display name. */
  readonly name: string
  /** The claim of the ID token that lists the user's groups. */
  readonly groupsClaim: string
}

export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface Callback {
  /** The redirect URI with the query that the provider added. */
  readonly url: URL
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The claims of a verified ID token. */
export interface Claims {
  readonly email: string | undefined
  readonly isEmailVerified: boolean
  readonly firstName: string
  readonly lastName: string
  readonly groups: readonly string[]
}

export interface OidcProvider {
  readonly name: string
  authorizationUrl(request: AuthorizationRequest): Promise<string>
  exchangeCode(callback: Callback): Promise<Claims>
}

/** Codes that the sign-in page translates into messages. */
export type OidcReason =
  | 'unknown_email'
  | 'unverified_email'
  | 'deactivated'
  | 'other_domain'
  | 'refused'
  | 'too_late'
  | 'failed'

/** The message goes to the log only, since a provider may write anything into it. */
export class OidcProblem extends Error {
  readonly reason: OidcReason

  constructor(reason: OidcReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

const TIMEOUT_SECONDS = 10
/** Far more than the keys of any provider. */
const MAX_RESPONSE_BYTES = 1024 * 1024
const CLOCK_TOLERANCE_SECONDS = 60
const DISCOVERY_MS = 3_600_000
/** Rejects every other algorithm, above all `none` and shared secrets. */
const ALGORITHMS = ['RS256', 'ES256']

/** Loads openid-client at the first sign-in: it costs start-up time and memory that most servers do not need. */
export function createOidcProvider(settings: OidcSettings, egress: Egress): OidcProvider {
  const discover = remember(DISCOVERY_MS, () => discoverProvider(settings, egress))

  return {
    name: settings.name,
    authorizationUrl: ({ redirectUri, state, nonce, verifier }) =>
      withProblem(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
        const config = await discover()
        const { scopes_supported: scopes = [] } = config.serverMetadata()
        const url = buildAuthorizationUrl(config, {
          // some providers list groups only to those who ask, and others refuse scopes that they don't know
          scope: `openid email profile${scopes.includes('groups') ? ' groups' : ''}`,
          redirect_uri: redirectUri,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return url.href
      }),
    exchangeCode: ({ url, state, nonce, verifier }) =>
      withProblem(async () => {
        const { authorizationCodeGrant } = await import('openid-client')
        const tokens = await authorizationCodeGrant(await discover(), url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        return toClaims(settings, tokens.claims())
      }),
  }
}

async function discoverProvider(settings: OidcSettings, egress: Egress): Promise<Configuration> {
  const { issuer, clientId } = settings
  const client = await import('openid-client')
  const fetch: CustomFetch = createGuardedFetch(egress, {
    trustedUrl: new URL(issuer),
    timeoutMs: TIMEOUT_SECONDS * 1000,
    maxBytes: MAX_RESPONSE_BYTES,
  })
  const isInsecure = issuer.startsWith('http:')
  const discovered = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: fetch,
    execute: isInsecure ? [client.allowInsecureRequests] : [],
  })
  const { supportsPKCE: _, ...server } = discovered.serverMetadata()
  // the library accepts the shared issuers of Microsoft, where any tenant could claim any e-mail
  if (server.issuer !== issuer) throw new Error(`the provider has the issuer ${server.issuer}`)
  const config = new client.Configuration(
    { ...server, id_token_signing_alg_values_supported: ALGORITHMS },
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    (as, _client, body, headers) => authenticate(settings, as, body, headers),
  )
  config.timeout = TIMEOUT_SECONDS
  config[client.customFetch] = fetch
  if (isInsecure) client.allowInsecureRequests(config)
  client.enableNonRepudiationChecks(config) // or signatures of ID tokens are not verified
  return config
}

/**
 * Sends the secret in a header unless the provider takes it only in the body. The library's own header percent-encodes
 * `-`, `_` and `.` too, which providers that compare the encoded secret refuse.
 */
function authenticate(
  { clientId, clientSecret }: OidcSettings,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: ServerMetadata,
  body: URLSearchParams,
  headers: Headers,
): void {
  body.set('client_id', clientId)
  if (clientSecret === undefined) return
  if (!methods.includes('client_secret_basic') && methods.includes('client_secret_post')) {
    body.set('client_secret', clientSecret)
    return
  }
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
}

function toClaims({ clientId, groupsClaim }: OidcSettings, claims: IDToken | undefined): Claims {
  // the library checks `azp` only if the token has several audiences
  if (claims?.azp !== undefined && claims.azp !== clientId) {
    throw new Error(`the ID token is meant for ${claims.azp}`)
  }
  return {
    email: typeof claims?.email === 'string' ? claims.email : undefined,
    // some providers send it as text
    isEmailVerified: ([true, 'true'] as unknown[]).includes(claims?.email_verified),
    ...toNames(claims ?? {}),
    groups: toGroups(claims ?? {}, groupsClaim),
  }
}

const MAX_NAME = 150

function toNames({ given_name, family_name, name }: Record<string, unknown>) {
  const [first, last] = [given_name, family_name].map(toName)
  return first || last
    ? { firstName: first ?? '', lastName: last ?? '' }
    : { firstName: toName(name), lastName: '' }
}

/** Cuts what no name needs, because a long name must not keep anyone out. */
const toName = (value: unknown): string =>
  typeof value === 'string'
    ? [...value.toWellFormed().replaceAll('\0', '').trim()].slice(0, MAX_NAME).join('').trim()
    : ''

/** A missing claim means no groups. One that cannot be understood must not take rights away, or leave them. */
function toGroups(claims: Record<string, unknown>, name: string): readonly string[] {
  const value = claims[name] ?? []
  const groups: unknown[] = Array.isArray(value) ? value : [value]
  // Microsoft Entra ID sends an address instead of more than 200 groups
  const { _claim_names: elsewhere } = claims
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && name in elsewhere
  if (isElsewhere || !groups.every((group) => typeof group === 'string')) {
    throw new Error(`the claim "${name}" of the ID token is not a list of groups`)
  }
  return groups as string[]
}

async function withProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
    throw new OidcProblem('failed', reason, error)
  }
}

/** Caches the result of `load`, but not its failures. */
function remember<T>(forMs: number, load: () => Promise<T>): () => Promise<T> {
  let cached: { readonly value: Promise<T>; readonly until: number } | undefined
  return () => {
    if (cached && cached.until > Date.now()) return cached.value
    const value = load()
    cached = { value, until: Date.now() + forMs }
    value.catch(() => {
      cached = undefined
    })
    return value
  }
}

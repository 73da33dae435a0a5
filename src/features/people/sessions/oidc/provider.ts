import { type Claims, findKey, readClaims, type SigningKey } from './id-token.ts'
import { failed, OidcProblem } from './problem.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** undefined: the provider knows this client as a public one. */
  readonly clientSecret: string | undefined
  /** What people call the provider. */
  readonly name: string
}

export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly challenge: string
}

export interface Redemption {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
  readonly nonce: string
}

/** Somebody else who knows who people are. */
export interface OidcProvider {
  readonly name: string
  authorizationUrl(asked: AuthorizationRequest): Promise<string>
  redeem(given: Redemption): Promise<Claims>
}

interface Discovered {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
  readonly token_endpoint_auth_methods_supported?: readonly string[]
}

const PATIENCE_MS = 10_000
const DISCOVERY_MS = 3_600_000
/** A key that is not known may be new, but whoever makes up names must not make us ask each time. */
const KEYS_MS = 60_000

export function createOidcProvider(settings: OidcSettings): OidcProvider {
  const { issuer, clientId, clientSecret, name } = settings
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const discover = remembered(DISCOVERY_MS, () => discoverAt(address, issuer))
  const listKeys = remembered(KEYS_MS, async () => {
    const { keys } = await ask<{ keys?: unknown }>((await discover()).jwks_uri)
    if (!Array.isArray(keys)) throw failed('The provider lists no keys.')
    return keys as SigningKey[]
  })

  return {
    name,
    async authorizationUrl({ redirectUri, state, nonce, challenge }) {
      const url = new URL((await discover()).authorization_endpoint)
      const asked = {
        ...{ response_type: 'code', scope: 'openid email profile', client_id: clientId },
        ...{ redirect_uri: redirectUri, state, nonce },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      }
      for (const [key, value] of Object.entries(asked)) url.searchParams.set(key, value)
      return url.href
    },
    async redeem({ code, redirectUri, verifier, nonce }) {
      const { token_endpoint, token_endpoint_auth_methods_supported: methods } = await discover()
      const { id_token } = await ask<{ id_token?: unknown }>(token_endpoint, {
        method: 'POST',
        headers: authorize(clientId, clientSecret, methods),
        body: new URLSearchParams({
          ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
          ...{ code_verifier: verifier, client_id: clientId },
          ...(clientSecret && isPosted(methods) && { client_secret: clientSecret }),
        }),
      })
      if (typeof id_token !== 'string') throw failed('The provider gave no ID token.')
      const key = findKey(id_token, await listKeys())
      if (!key) throw failed('The ID token is signed by a key that the provider does not list.')
      return readClaims(id_token, key, { issuer, clientId, nonce })
    },
  }
}

async function discoverAt(address: string, issuer: string): Promise<Discovered> {
  const found = await ask<Discovered>(address)
  if (found.issuer !== issuer) {
    throw failed(`${address} is of the issuer ${found.issuer}, not of ${issuer}.`)
  }
  for (const key of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (!URL.canParse(found[key])) throw failed(`${address} names no ${key}.`)
  }
  return found
}

/** The secret goes into a header, unless the provider takes it only in the body. */
const isPosted = (methods: readonly string[] = ['client_secret_basic']): boolean =>
  !methods.includes('client_secret_basic') && methods.includes('client_secret_post')

function authorize(
  clientId: string,
  secret: string | undefined,
  methods: readonly string[] | undefined,
): Record<string, string> {
  if (secret === undefined || isPosted(methods)) return {}
  const pair = [clientId, secret].map(encodeURIComponent).join(':')
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

async function ask<T extends object>(url: string, init: RequestInit = {}): Promise<T> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', ...(init.headers as Record<string, string>) },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (!response.ok) throw failed(`${url} answered ${response.status}.`)
    return { ...((await response.json()) as T) }
  } catch (error) {
    if (error instanceof OidcProblem) throw error
    throw failed(`${url} cannot be asked: ${(error as Error).message}.`)
  }
}

/** What failed is not remembered. */
function remembered<T>(forMs: number, make: () => Promise<T>): () => Promise<T> {
  let known: { readonly value: Promise<T>; readonly until: number } | undefined
  return () => {
    if (known && known.until > Date.now()) return known.value
    const value = make()
    known = { value, until: Date.now() + forMs }
    value.catch(() => {
      known = undefined
    })
    return value
  }
}

import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface OidcBehavior {
  algorithm?: 'RS256' | 'ES256'
  claims?: Record<string, unknown>
  /** Changes the token after signing. */
  tamper?: (token: string) => string
  /** Signs with a key that the provider does not list. */
  isForged?: boolean
  /** Refuses every sign-in. */
  error?: string
}

/** Overrides of the discovery document and of the response to requests for the keys. */
export interface OidcEndpoints {
  readonly metadata?: Record<string, string>
  sendKeys?(response: ServerResponse, keys: object): void
}

export interface TestOidcProvider {
  readonly issuer: string
  readonly env: Record<string, string>
  /** The behavior of the next sign-in. */
  behave(behavior: OidcBehavior): void
  /** Replaces the signing keys, under new names. */
  rotateKeys(): void
  /** The number of requests for the keys. */
  countKeyRequests(): number
}

const CLIENT = { id: 'hedgerow', secret: 'a secret: 1+1' }

const generateRsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

const generateKeys = () => ({
  rsa: generateRsa(),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
})

/** All providers begin with these keys, because generating RSA keys takes a tenth of a second. */
const FIRST_KEYS = generateKeys()
const FORGER = generateRsa()

/** Starts a small OIDC provider that validates requests as a real one does and signs in every visitor. */
export async function startOidcProvider({
  metadata,
  sendKeys,
}: OidcEndpoints = {}): Promise<TestOidcProvider> {
  let keys = FIRST_KEYS
  let generation = 1
  let keyRequests = 0
  const authorizations = new Map<string, URLSearchParams>()
  let behavior: OidcBehavior = {}

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration') {
      return send(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize?tenant=1`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...metadata,
      })
    }
    if (pathname === '/keys') {
      const toKey = (key: KeyObject, kid: string) => ({
        ...key.export({ format: 'jwk' }),
        kid,
        use: 'sig',
      })
      keyRequests++
      const listed = {
        keys: [
          toKey(keys.rsa.publicKey, `RS256 ${generation}`),
          toKey(keys.ec.publicKey, `ES256 ${generation}`),
        ],
      }
      return sendKeys ? sendKeys(response, listed) : send(200, listed)
    }
    if (pathname === '/authorize') {
      const code = `code ${authorizations.size}`
      authorizations.set(code, searchParams)
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      if (behavior.error) back.searchParams.set('error', behavior.error)
      else back.searchParams.set('code', code)
      return response.writeHead(302, { location: back.href }).end()
    }
    if (pathname !== '/token') return send(404, {})
    const form = new URLSearchParams(await readText(request))
    const authorization = authorizations.get(form.get('code') ?? '')
    authorizations.delete(form.get('code') ?? '')
    if (!authorization || !isEntitled(request, form, authorization)) {
      return send(400, { error: 'invalid_grant' })
    }
    send(200, {
      access_token: 'unused',
      token_type: 'Bearer',
      id_token: toToken(authorization.get('nonce')),
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function toToken(nonce: string | null): string {
    const { algorithm = 'RS256', claims, tamper = (token) => token, isForged } = behavior
    const seconds = Math.floor(Date.now() / 1000)
    const body = {
      iss: issuer,
      aud: CLIENT.id,
      sub: '1',
      nonce,
      iat: seconds,
      exp: seconds + 300,
      ...claims,
    }
    const signed = [{ alg: algorithm, kid: `${algorithm} ${generation}` }, body]
      .map(encode)
      .join('.')
    const owner = isForged ? FORGER : algorithm === 'ES256' ? keys.ec : keys.rsa
    const key = { key: owner.privateKey, dsaEncoding: 'ieee-p1363' } as const
    return tamper(`${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`)
  }

  return {
    issuer,
    env: {
      HEDGEROW_OIDC_ISSUER: issuer,
      HEDGEROW_OIDC_CLIENT_ID: CLIENT.id,
      HEDGEROW_OIDC_CLIENT_SECRET: CLIENT.secret,
      HEDGEROW_OIDC_NAME: 'Acme',
    },
    behave: (next) => {
      behavior = next
    },
    rotateKeys: () => {
      keys = generateKeys()
      generation++
    },
    countKeyRequests: () => keyRequests,
  }
}

function isEntitled(request: IncomingMessage, form: URLSearchParams, asked: URLSearchParams) {
  const pair = [CLIENT.id, CLIENT.secret].map(encodeURIComponent).join(':')
  return (
    request.headers.authorization === `Basic ${Buffer.from(pair).toString('base64')}` &&
    asked.get('response_type') === 'code' &&
    asked.get('scope')?.split(' ').includes('openid') &&
    asked.get('tenant') === '1' &&
    asked.get('code_challenge_method') === 'S256' &&
    asked.get('code_challenge') === hash('sha256', form.get('code_verifier') ?? '', 'base64url') &&
    asked.get('redirect_uri') === form.get('redirect_uri')
  )
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}

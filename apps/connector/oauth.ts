import { URLSearchParams } from 'node:url'
import type { App, FetchResponse } from '../shared/app.ts'
import { parseJson } from '../shared/json.ts'
import { isRecord } from '../shared/paths.ts'
import { describeError, requestAndRead, withoutQuery } from '../shared/requests.ts'
import type { OAuth } from './connector.ts'
import { fillText } from './fill.ts'
import { fillAddress } from './hosts.ts'
import { seal, unseal } from './seal.ts'

/** The access tokens of one run. */
export interface Tokens {
  /** Returns one that is valid for a while. */
  get(): Promise<string>
  /** Lets the next `get` request a new one, after the server refused this one. */
  refuse(token: string): void
  /** Hides the tokens, which the server does not know as secrets. */
  mask(text: string): string
}

/** A new token is requested this long before the end of one, for requests on their way. */
const MARGIN_MS = 60_000
const MASK = '****************'
/** The storage key of a refresh token that replaced the one in the settings. */
const REPLACED = 'refresh token'

export function createTokens(app: App, oauth: OAuth, setting: (key: string) => string): Tokens {
  const secrets = new Set<string>()
  let current: { readonly token: string; readonly endsAt: number } | undefined

  const request = async () => {
    const url = fillAddress(oauth.token_url, setting)
    const first = oauth.refresh_token && setting(oauth.refresh_token)
    const refreshToken = first && (await loadReplaced(app, first))
    if (refreshToken) secrets.add(refreshToken)
    const body = new URLSearchParams(
      refreshToken
        ? { grant_type: 'refresh_token', refresh_token: refreshToken }
        : { grant_type: 'client_credentials' },
    )
    for (const [name, text] of Object.entries(oauth.parameters ?? {})) {
      body.set(name, fillText(text, setting))
    }
    const headers: Record<string, string> = {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    }
    authorize(oauth, setting, headers, body)
    // a redirect could send the secrets elsewhere
    const options = { method: 'POST', headers, body: String(body), redirect: 'manual' }
    const { token, endsAt, replacement } = await requestAndRead(app, url, options, (response) =>
      readToken(url, response),
    )
    secrets.add(token)
    if (first && replacement && replacement !== refreshToken) {
      secrets.add(replacement)
      await app.meta.storage.set(REPLACED, seal(replacement, first))
    }
    return { token, endsAt }
  }

  return {
    async get() {
      if (!current || current.endsAt <= Date.now()) current = await request()
      return current.token
    },
    refuse(token) {
      if (current?.token === token) current = undefined
    },
    mask: (text) => [...secrets].reduce((masked, secret) => masked.replaceAll(secret, MASK), text),
  }
}

function authorize(
  { client_id, client_secret, credentials }: OAuth,
  setting: (key: string) => string,
  headers: Record<string, string>,
  body: URLSearchParams,
): void {
  const id = setting(client_id)
  const secret = client_secret === undefined ? '' : setting(client_secret)
  if (credentials === 'basic') {
    headers.authorization = toBasic(encodeURIComponent(id), encodeURIComponent(secret))
    return
  }
  body.set('client_id', id)
  if (secret !== '') body.set('client_secret', secret)
}

export const toBasic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

async function readToken(url: string, response: FetchResponse) {
  if (!response.ok) throw new Error(await describeError(url, response))
  const text = await response.text()
  const body = parseJson(text)
  const token = isRecord(body) ? body.access_token : undefined
  if (!isRecord(body) || typeof token !== 'string' || token === '') {
    throw new Error(`${withoutQuery(url)} returned no access_token.`)
  }
  const { expires_in, refresh_token } = body
  return {
    token,
    endsAt: Date.now() + toLifetime(Number(expires_in)),
    replacement: typeof refresh_token === 'string' ? refresh_token : undefined,
  }
}

/** Half of a short life is left for requests. Without a life, the server says when the token has ended. */
const toLifetime = (seconds: number): number =>
  seconds > 0 ? Math.max(seconds * 1000 - MARGIN_MS, seconds * 500) : Number.POSITIVE_INFINITY

/** Finds the latest refresh token. One that replaced another setting cannot be opened. */
async function loadReplaced({ meta }: App, first: string): Promise<string> {
  const sealed = await meta.storage.get(REPLACED)
  return (typeof sealed === 'string' ? unseal(sealed, first) : undefined) ?? first
}

import { sign } from 'node:crypto'
import { URLSearchParams } from 'node:url'
import type { App } from '../shared/app.ts'
import { parseJson } from '../shared/json.ts'
import { isRecord } from '../shared/paths.ts'
import { describeResponse, requestAndRead } from '../shared/requests.ts'

/** The part of a service account's key file that signs in. */
export interface ServiceAccount {
  readonly email: string
  readonly keyId: string
  readonly privateKey: string
}

/** Not that of the key file, which could name any server. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/spreadsheets.readonly'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFETIME_SECONDS = 3600

/** Reads a key file, which is JSON. Returns undefined if the setting is empty. */
export function readAccount(setting: unknown): ServiceAccount | undefined {
  if (setting === undefined || setting === null || setting === '') return undefined
  const file = typeof setting === 'string' ? parseJson(setting) : setting
  const {
    client_email: email,
    private_key: privateKey,
    private_key_id: keyId,
  } = isRecord(file) ? file : {}
  if (typeof email !== 'string' || typeof privateKey !== 'string') {
    throw new Error(
      'The "Service account key" is not the JSON file of one: it has no client_email and private_key.',
    )
  }
  return { email, privateKey, keyId: typeof keyId === 'string' ? keyId : '' }
}

/** Signs the account in for an hour, longer than a sheet takes. */
export function requestToken(app: App, account: ServiceAccount): Promise<string> {
  const body = String(new URLSearchParams({ grant_type: GRANT, assertion: toAssertion(account) }))
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const options = { method: 'POST', headers, body, redirect: 'manual' }
  return requestAndRead(app, TOKEN_URL, options, async (response) => {
    const text = await response.text()
    if (!response.ok) {
      throw new Error(
        `${describeResponse(TOKEN_URL, response, text)} The key of ${account.email} may have ended or been deleted: enter a new one.`,
      )
    }
    const answer = parseJson(text)
    const token = isRecord(answer) ? answer.access_token : undefined
    if (typeof token === 'string' && token !== '') return token
    throw new Error(`${TOKEN_URL} returned no access_token.`)
  })
}

function toAssertion({ email, keyId, privateKey }: ServiceAccount): string {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: email, scope: SCOPE, aud: TOKEN_URL, iat, exp: iat + LIFETIME_SECONDS }
  const text = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  try {
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
  } catch {
    throw new Error('The private_key of the "Service account key" cannot be read. Copy it again.')
  }
}

import type { App, FetchResponse } from '../shared/app.ts'
import { discard, requestAndRead, withoutQuery } from '../shared/requests.ts'
import { textSetting } from '../shared/settings.ts'
import type { Auth, Connector } from './connector.ts'
import { type Above, fillText, MissingValue } from './fill.ts'
import { createHostCheck, fillAddress, parseAddress } from './hosts.ts'
import { createTokens, toBasic } from './oauth.ts'

type Texts = Readonly<Record<string, string>>
type Read<T> = (response: FetchResponse) => Promise<T>

/** Requests of one connector: its settings filled in, its keys sent to its own origin only. */
export interface Requests {
  /** Returns the URL of a path, with the connector's settings and the values of the records above. */
  toUrl(path: string, query: Texts, above?: Above): string
  fill(text: string, above: Above): string
  setting(key: string): string
  /** Requests a URL. Its own origin also gets the headers and the key, which is part of no message. */
  get<T>(url: string, headers: Texts, read: Read<T>): Promise<T>
}

export function createRequests(given: App, connector: Connector): Requests {
  const { meta } = given
  const setting = (key: string): string => {
    const value = textSetting(meta, key)
    if (value === '') throw new Error(`The setting "${key}" is not set.`)
    return value
  }
  const fill = (text: string, above?: Above) => fillText(text, setting, above)
  const base = parseAddress('base_url', fillAddress(connector.base_url, setting))
  const requireKnownHost = createHostCheck(connector, setting)
  const oauth = connector.auth?.oauth
  const tokens = oauth && createTokens(given, oauth, setting)
  const mask = (text: string) => tokens?.mask(text) ?? text
  const { log } = given
  const app: App = {
    ...given,
    log: { info: log.info, warn: (text) => log.warn(mask(String(text))) },
  }

  /** Follows redirects itself, because each must lead to a known host. */
  const send = async <T>(href: string, more: Texts, read: Read<T>, redirects = 0): Promise<T> => {
    const url = new URL(href)
    requireKnownHost(url)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (url.origin === base.origin) {
      for (const [name, text] of Object.entries(more)) headers[name.toLowerCase()] = text
      if (connector.auth) authorize(connector.auth, url, headers, setting)
    }
    const options = { headers, redirect: 'manual' }
    const found = await requestAndRead(app, url.href, options, async (response) => {
      const target = toRedirect(url, response)
      if (target === undefined) return { value: await read(response) }
      await discard(response)
      return { target }
    })
    if (found.target === undefined) return found.value as T
    if (redirects === MAX_REDIRECTS) {
      throw new Error(`${withoutQuery(href)} was redirected too often.`)
    }
    return send(found.target, more, read, redirects + 1)
  }

  const sendWithToken = async <T>(href: string, headers: Texts, read: Read<T>): Promise<T> => {
    if (!tokens || new URL(href).origin !== base.origin) return send(href, headers, read)
    const withToken = (token: string) => ({ ...headers, authorization: `Bearer ${token}` })
    const token = await tokens.get()
    const found = await send(href, withToken(token), async (response) => {
      if (response.status !== 401) return read(response)
      await discard(response)
      return REFUSED
    })
    if (found !== REFUSED) return found as T
    tokens.refuse(token)
    return send(href, withToken(await tokens.get()), read)
  }

  return {
    fill,
    setting,
    toUrl(path, query, above) {
      const filled = fillText(path, setting, above, toSegment)
      const below = filled === '/' ? '' : `/${filled.replace(/^\//, '')}`
      const url = new URL(base.href.replace(/\/$/, '') + below)
      for (const [name, text] of Object.entries(query))
        url.searchParams.set(name, fill(text, above))
      return url.href
    },
    get: (href, headers, read) =>
      sendWithToken(href, headers, read).catch((error) => {
        error.message = mask(error.message)
        throw error
      }),
  }
}

const MAX_REDIRECTS = 10

function toRedirect(from: URL, { status, headers }: FetchResponse): string | undefined {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || !location) return undefined
  return URL.parse(location, from)?.href
}

/** Refuses what would lead to another path. */
function toSegment(value: string): string {
  if (value === '.' || value === '..') throw new MissingValue(`"${value}" cannot be part of a path`)
  return encodeURIComponent(value.toWellFormed())
}

/** The server refused a token, which may have ended before its time. */
const REFUSED = Symbol('refused')

function authorize(
  { bearer, basic, header, query }: Auth,
  url: URL,
  headers: Record<string, string>,
  setting: (key: string) => string,
): void {
  if (bearer) headers.authorization = `Bearer ${setting(bearer)}`
  if (basic)
    headers.authorization = toBasic(
      setting(basic.user),
      basic.password ? setting(basic.password) : '',
    )
  if (header) {
    const { name, prefix = '', setting: key } = header
    headers[name.toLowerCase()] = prefix + setting(key)
  }
  if (query) url.searchParams.set(query.name, setting(query.setting))
}

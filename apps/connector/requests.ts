import type { App } from '../shared/app.ts'
import { textSetting } from '../shared/settings.ts'
import type { Auth, Connector } from './connector.ts'

/** Requests of one connector: its settings filled in, its keys sent to its own origin only. */
export interface Requests {
  /** Returns the URL of a path, with the connector's settings. */
  toUrl(path: string, query: Readonly<Record<string, string>>): string
  /** Adds the key, which is part of no message, to a URL. */
  withKey(url: string): { readonly url: string; readonly headers: Record<string, string> }
}

export function createRequests({ meta }: Pick<App, 'meta'>, connector: Connector): Requests {
  const setting = (key: string): string => {
    const value = textSetting(meta, key)
    if (value === '') throw new Error(`The setting "${key}" is not set.`)
    return value
  }
  const fill = (text: string): string =>
    text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, key) => setting(key))
  const base = parseBase(fill(connector.base_url))

  return {
    toUrl(path, query) {
      const filled = path.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, key) =>
        encodeURIComponent(setting(key)),
      )
      const url = new URL(`${base.href.replace(/\/$/, '')}/${filled.replace(/^\//, '')}`)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, fill(value))
      return url.href
    },
    withKey(href) {
      const url = new URL(href)
      const headers: Record<string, string> = { accept: 'application/json' }
      if (connector.auth && url.origin === base.origin)
        authorize(connector.auth, url, headers, setting)
      return { url: url.href, headers }
    },
  }
}

function authorize(
  { bearer, basic, header, query }: Auth,
  url: URL,
  headers: Record<string, string>,
  setting: (key: string) => string,
): void {
  if (bearer) headers.authorization = `Bearer ${setting(bearer)}`
  if (basic)
    headers.authorization = `Basic ${btoa(`${setting(basic.user)}:${setting(basic.password)}`)}`
  if (header) headers[header.name] = setting(header.setting)
  if (query) url.searchParams.set(query.name, setting(query.setting))
}

function parseBase(text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`base_url is not a URL: "${text}".`)
  return url
}

import type { Connector } from './connector.ts'
import { fillText } from './fill.ts'

type Setting = (key: string) => string

/** The scheme and the host of a URL that does not begin with a setting. */
const ORIGIN = /^https?:\/\/[^/?#]*/i

/** Fills the settings of an address. One that is a part of the host cannot lead to another host. */
export function fillAddress(text: string, setting: Setting): string {
  const [origin = ''] = ORIGIN.exec(text) ?? []
  const host = fillText(origin, setting, {}, toHostPart)
  return host + fillText(text.slice(origin.length), setting)
}

function toHostPart(value: string): string {
  if (/^[\w.:-]+$/.test(value)) return value
  throw new Error(`"${value}" cannot be part of the host in connector.yaml.`)
}

/** Parses an address of the connector. */
export function parseAddress(name: string, text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`${name} is not a URL: "${text}".`)
  return url
}

/** Returns a check that a URL is on a host that the connector names. */
export function createHostCheck(connector: Connector, setting: Setting): (url: URL) => void {
  const { base_url, hosts = [], auth } = connector
  const addresses = [base_url, auth?.oauth?.token_url].filter((one) => one !== undefined)
  const known = new Set([
    ...addresses.map((one) => parseAddress('An address', fillAddress(one, setting)).host),
    ...hosts.map((one) => parseAddress('hosts', fillAddress(`https://${one}`, setting)).host),
  ])
  return ({ protocol, host, origin }) => {
    if (/^https?:$/.test(protocol) && known.has(host)) return
    throw new Error(
      `a further page or a redirect leads to ${origin}, which connector.yaml does not name. Add "${host}" to its hosts.`,
    )
  }
}

import type { ConfigField } from '../schema.ts'
import {
  type Connector,
  listPlaceholders,
  connectorProblem as problem,
} from './connector-streams.ts'

const PLACEHOLDER = /\{\{[^{}]*\}\}/g
/** The scheme and host of an address, or a setting that has both. */
const ORIGIN = /^(?:https?:\/\/)?[^/?#]*/i
const HOST = /^[\w.-]+(:\d{1,5})?$/

/** Requires that the hosts of a connector are in its file, or in settings that guard its secrets. */
export function requireHosts(
  { base_url, hosts = [], auth }: Connector,
  config: readonly ConfigField[],
): void {
  requireAddress('base_url', base_url, config)
  if (auth?.oauth) requireAddress('auth.oauth.token_url', auth.oauth.token_url, config)
  for (const [index, host] of hosts.entries()) {
    const name = `hosts.${index}`
    if (!HOST.test(host.replace(PLACEHOLDER, 'x'))) {
      throw problem(`, ${name} must be a host such as files.example.com`)
    }
    requireGuarded(name, host, config)
  }
}

function requireAddress(name: string, text: string, config: readonly ConfigField[]): void {
  const [origin = ''] = ORIGIN.exec(text) ?? []
  const isSetting = /^\{\{[^{}]*\}\}$/.test(origin)
  const url = URL.parse(text.replace(PLACEHOLDER, 'x'))
  const isUrl = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (!isSetting && !isUrl) throw problem(`, ${name} must be a URL with http or https`)
  requireGuarded(name, origin, config)
}

/** A change of an address requires the secrets again, so they cannot be sent to a host of someone else. */
function requireGuarded(name: string, text: string, config: readonly ConfigField[]): void {
  for (const { name: key } of listPlaceholders(text)) {
    if (config.find((field) => field.key === key)?.address) continue
    throw problem(
      `, ${name} has its host in the setting "${key}", which needs "address": true in plugin.json`,
    )
  }
}

import { toStreamName } from './address.ts'
import type { Draft, Key } from './draft.ts'
import { toConnector } from './to-connector.ts'
import { toYaml } from './yaml.ts'

/** Returns the files of the app. Its key is a setting, never part of them. */
export function toFiles(draft: Draft): Readonly<Record<string, string>> {
  const { kind } = draft.key
  const host = URL.parse(draft.url)?.host ?? ''
  const name = draft.name.trim() || host
  const user = { key: 'user', name: 'User', type: 'string', required: true }
  const key = { key: 'key', name: 'Key', type: 'string', secret: true, required: true }
  const config = kind === 'none' ? [] : kind === 'basic' ? [user, key] : [key]
  const description = `Imports ${toStreamName(draft.url)} of ${host}.`
  const manifest = { name, description, config, publicJobs: { 'Import now': {} } }
  return {
    'plugin.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'connector.yaml': toYaml(toConnector(draft)),
  }
}

export const toSettings = ({ key: { kind, name, value } }: Draft): Record<string, string> => ({
  ...(kind === 'basic' && { user: name }),
  ...(kind !== 'none' && { key: value }),
})

/** Returns the key as the server takes it for a single request. */
export function toRequestKey({ kind, name, value }: Key): object | undefined {
  switch (kind) {
    case 'none':
      return undefined
    case 'bearer':
      return { bearer: value }
    case 'basic':
      return { basic: { user: name, password: value } }
    case 'header':
    case 'query':
      return { [kind]: { name, value } }
  }
}

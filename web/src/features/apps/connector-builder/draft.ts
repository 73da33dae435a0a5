import { type Condition, listParts, type Part, toFilter, toList, toPartitions } from './narrow.ts'
import { toYaml } from './yaml.ts'

export type KeyKind = 'none' | 'bearer' | 'basic' | 'header' | 'query'

export interface Key {
  readonly kind: KeyKind
  /** The name of the header or parameter, or the user. */
  readonly name: string
  readonly value: string
}

/** `paginate` of `connector.yaml`: one of them, or none for one page. */
export interface Paginate {
  readonly page?: { readonly parameter: string; readonly first: number }
  readonly offset?: {
    readonly parameter: string
    readonly limit_parameter: string
    readonly limit: number
  }
  readonly cursor?: { readonly path: string; readonly parameter?: string }
  readonly link?: true
}

/** The values of a record that mean something. */
export type Role = 'id' | 'person' | 'time'

/** The parameter that asks the API for new records only. */
export interface Since {
  /** Empty: all records are read each time. */
  readonly parameter: string
  readonly format: 'iso' | 'date' | 'seconds' | 'milliseconds'
}

export interface Draft {
  readonly url: string
  readonly key: Key
  /** The path of the list in the response; empty if it is the list, undefined until it is chosen. */
  readonly list: string | undefined
  /** Paths in a record. */
  readonly roles: Readonly<Partial<Record<Role, string>>>
  readonly paginate: Paginate
  readonly since: Since
  readonly filter: readonly Condition[]
  /** Parts of the address with several values. Those that the address has no more do not count. */
  readonly parts: readonly Part[]
  /** Further hosts, separated by commas. */
  readonly hosts: string
  readonly event: string
  readonly name: string
}

export const EMPTY: Draft = {
  url: '',
  key: { kind: 'none', name: '', value: '' },
  list: undefined,
  roles: {},
  paginate: {},
  since: { parameter: '', format: 'iso' },
  filter: [],
  parts: [],
  hosts: '',
  event: '',
  name: '',
}

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

/** Names what is still missing before the draft can run, or returns undefined. */
export function findMissing({ list, roles, event, filter, parts }: Draft): string | undefined {
  if (list === undefined) return 'Choose the list of records in the response.'
  if (roles.person === undefined) return 'Choose the value that identifies the person.'
  if (event.trim() === '') return 'Name the event.'
  if (filter.some(({ path }) => path === '')) return 'Enter the path of each condition.'
  if (parts.some(({ values }) => toList(values).length === 0)) {
    return 'Enter the values of each partition.'
  }
  return undefined
}

/** Names a stream and its event by the last part of the path. */
export const toStreamName = (url: string): string =>
  URL.parse(url)?.pathname.split('/').filter(Boolean).at(-1)?.replace(/\W+/g, '_').slice(0, 100) ||
  'records'

/** Returns the content of `connector.yaml`. */
export function toConnector(draft: Draft): object {
  const { url, key, list, roles, paginate, event, hosts } = draft
  const { origin, pathname, searchParams } = new URL(url)
  const own = listOwnParameters(draft)
  for (const name of own) searchParams.delete(name)
  const address = { pathname, query: Object.fromEntries(searchParams) }
  const { path, query, partitions } = toPartitions(address, draft.parts, listParts(url, own))
  const otherHosts = toList(hosts)
  return {
    base_url: origin,
    hosts: otherHosts.length > 0 ? otherHosts : undefined,
    auth: toAuth(key),
    streams: [
      {
        name: toStreamName(url),
        partitions,
        path,
        query: searchParams.size > 0 ? query : undefined,
        records: list || undefined,
        paginate: Object.keys(paginate).length > 0 ? paginate : undefined,
        incremental: toIncremental(draft),
        primary_key: roles.id,
        filter: toFilter(draft.filter),
        to: { event: event.trim(), person: roles.person, time: roles.time },
      },
    ],
  }
}

/** Lists the parameters that the connector sets itself. */
export const listOwnParameters = ({
  key,
  since,
  paginate: { page, offset, cursor },
}: Draft): string[] =>
  [
    key.kind === 'query' ? key.name : undefined,
    since.parameter,
    page?.parameter,
    offset?.parameter,
    offset?.limit_parameter,
    cursor?.parameter,
  ].filter((parameter) => parameter !== undefined)

/** Needs the time of a record to know the latest. */
function toIncremental({ roles, since: { parameter, format } }: Draft): object | undefined {
  if (roles.time === undefined || parameter === '') return undefined
  return { field: roles.time, parameter, format }
}

function toAuth({ kind, name }: Key): object | undefined {
  switch (kind) {
    case 'none':
      return undefined
    case 'bearer':
      return { bearer: 'key' }
    case 'basic':
      return { basic: { user: 'user', password: 'key' } }
    case 'header':
    case 'query':
      return { [kind]: { name, setting: 'key' } }
  }
}

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

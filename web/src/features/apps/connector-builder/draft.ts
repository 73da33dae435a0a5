import type { Condition, Part } from './narrow.ts'
import type { Step } from './steps.ts'

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

/** A list for each of whose records the list below it is read. */
export interface Parent {
  readonly url: string
  /** The path of the list in the response, as that of the draft. */
  readonly list: string | undefined
  readonly paginate: Paginate
  /** One of its records. */
  readonly sample: Readonly<Record<string, unknown>>
  /** The path of the value in a record that is part of the address below; empty until it is chosen. */
  readonly key: string
  /** The ID of that part of the address below; empty until it is chosen. */
  readonly part: string
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
  /** The lists for whose records this one is read: the nearest first, and each below the next. */
  readonly parents: readonly Parent[]
  /** Changes of the fields of each record, in their order. */
  readonly steps: readonly Step[]
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
  parents: [],
  steps: [],
  filter: [],
  parts: [],
  hosts: '',
  event: '',
  name: '',
}

/** Lists the parameters that the connector sets itself. */
export const listOwnParameters = ({
  key,
  since,
  paginate: { page, offset, cursor },
}: Pick<Draft, 'key' | 'paginate'> & Partial<Pick<Draft, 'since'>>): string[] =>
  [
    key.kind === 'query' ? key.name : undefined,
    since?.parameter,
    page?.parameter,
    offset?.parameter,
    offset?.limit_parameter,
    cursor?.parameter,
  ].filter((parameter) => parameter !== undefined)

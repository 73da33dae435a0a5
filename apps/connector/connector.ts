/** A checked `connector.yaml`. Texts may name settings: `{{shop}}`. */
export interface Connector {
  readonly base_url: string
  readonly auth?: Auth
  readonly rate_limit?: { readonly requests: number; readonly seconds: number }
  readonly streams: readonly Stream[]
}

/** Tells where a key goes. Each value is the key of a setting. */
export interface Auth {
  readonly bearer?: string
  readonly basic?: { readonly user: string; readonly password: string }
  readonly header?: { readonly name: string; readonly setting: string }
  readonly query?: { readonly name: string; readonly setting: string }
}

export interface Stream {
  readonly name: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** The path of the list in a response. Absent: the response is the list. */
  readonly records?: string
  readonly paginate?: Paginate
  readonly incremental?: Incremental
  /** The path of the ID of a record. Absent: records are compared by content. */
  readonly primary_key?: string
  readonly transform?: readonly Transform[]
  readonly to: Target
  /** Responses that are no failure: the stream ends there. */
  readonly errors?: readonly { readonly status: number; readonly action: 'ignore' }[]
}

/** One of them. */
export interface Paginate {
  readonly page?: { readonly parameter: string; readonly first?: number }
  readonly offset?: {
    readonly parameter: string
    readonly limit_parameter: string
    readonly limit: number
  }
  /** Without a parameter, the cursor is a URL. */
  readonly cursor?: { readonly path: string; readonly parameter?: string }
  readonly link?: true
}

export type TimeFormat = 'iso' | 'date' | 'seconds' | 'milliseconds'

export interface Incremental {
  /** The path of the time of a record. */
  readonly field: string
  readonly parameter: string
  /** The parameter of the end of a window. A stream without it takes no part in backfills. */
  readonly to_parameter?: string
  readonly format?: TimeFormat
  /** In seconds: how far before the latest record a run begins, for clocks that differ and records that come late. */
  readonly lookback?: number
}

/** One of them. Fields are of the record itself. */
export interface Transform {
  readonly add?: Readonly<Record<string, string | number | boolean>>
  readonly remove?: readonly string[]
  readonly rename?: Readonly<Record<string, string>>
  readonly cast?: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'time'>>
}

export interface Target {
  readonly event: string
  readonly person: string
  /** Absent: the time of the import. */
  readonly time?: string
  /** Absent: all fields but those of the person and the time. */
  readonly properties?: readonly string[]
}

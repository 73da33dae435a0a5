/** A checked `connector.yaml`. Texts may name settings, `{{shop}}`, and values of the records above: `{{orders.id}}`. */
export interface Connector {
  readonly base_url: string
  /** The hosts of further pages and redirects, beyond those of `base_url` and `token_url`. Requests to others fail. */
  readonly hosts?: readonly string[]
  readonly auth?: Auth
  readonly rate_limit?: { readonly requests: number; readonly seconds: number }
  readonly streams: readonly Stream[]
}

/** Tells where a key goes. Each value is the key of a setting. */
export interface Auth {
  readonly bearer?: string
  readonly basic?: { readonly user: string; readonly password?: string }
  readonly header?: { readonly name: string; readonly setting: string; readonly prefix?: string }
  readonly query?: { readonly name: string; readonly setting: string }
  readonly oauth?: OAuth
}

/** The ID, the secret and the token are keys of settings. */
export interface OAuth {
  readonly token_url: string
  readonly client_id: string
  readonly client_secret?: string
  /** Absent: the client itself is signed in. */
  readonly refresh_token?: string
  /** Says where the client's ID and secret are sent. Absent: in the body. */
  readonly credentials?: 'body' | 'basic'
  readonly parameters?: Readonly<Record<string, string>>
}

export interface Stream {
  readonly name: string
  /** The stream, above in the file, whose records this one is read for. */
  readonly parent?: { readonly stream: string }
  /** The stream is read once for each value, or for each combination of several: `{{partition.region}}`. */
  readonly partitions?: readonly Partition[]
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** The path of the list in a response. Absent: the response is the list. */
  readonly records?: string
  /** The response may also be one record instead of a list, or none. */
  readonly single?: true
  readonly paginate?: Paginate
  readonly incremental?: Incremental
  /** The path of the ID of a record, or of its parts. Absent: records are compared by content. */
  readonly primary_key?: string | readonly string[]
  /** Only records that meet all conditions are imported, and read for streams below. */
  readonly filter?: readonly Condition[]
  readonly transform?: readonly Transform[]
  /** The types of fields, after the transformations. Absent: they stay as they come. */
  readonly schema?: Readonly<Record<string, FieldType>>
  /** Absent: the stream serves those below it only. */
  readonly to?: Target
  readonly errors?: readonly ErrorRule[]
}

/** Has its values in the file, or in a setting that separates them by commas. */
export interface Partition {
  readonly name: string
  readonly values?: readonly string[]
  readonly setting?: string
}

export type Scalar = string | number | boolean

/** A path and one of the comparisons. Texts may contain settings. */
export interface Condition {
  readonly path: string
  readonly is?: Scalar | readonly Scalar[]
  readonly is_not?: Scalar | readonly Scalar[]
  readonly empty?: boolean
  /** Whether the value is neither empty nor false nor 0. */
  readonly truthy?: boolean
  readonly at_least?: Scalar
  readonly more_than?: Scalar
  readonly at_most?: Scalar
  readonly less_than?: Scalar
}

/** One of them. */
export interface Paginate {
  readonly page?: { readonly parameter: string; readonly first?: number }
  readonly offset?: {
    readonly parameter: string
    readonly limit_parameter?: string
    readonly limit: number
  }
  /** Without a parameter, the cursor is a URL. It counts only while `more`, the path of a flag, is true. */
  readonly cursor?: { readonly path: string; readonly parameter?: string; readonly more?: string }
  readonly link?: true
}

/** `iso`, `date`, `seconds`, `milliseconds`, or a pattern such as `%Y-%m-%d %H:%M:%S`, in UTC. */
export type TimeFormat = string

export interface Incremental {
  /** The path of the time of a record. */
  readonly field: string
  readonly parameter: string
  /** The parameter of the end of a window. A stream without it takes no part in backfills. */
  readonly to_parameter?: string
  readonly format?: TimeFormat
  /** The time from which the first run reads. Absent: from the beginning. */
  readonly start?: string
  /** In seconds: the longest time that one reading covers. Needs `start` and `to_parameter`. */
  readonly step?: number
  /** In seconds: how far before the latest record a run begins, for clocks that differ and records that come late. */
  readonly lookback?: number
}

export type FieldType = 'string' | 'number' | 'boolean' | 'time'

/** One of them. Fields are of the record itself. */
export interface Transform {
  readonly add?: Readonly<Record<string, Scalar>>
  /** The path of the value of each new field. */
  readonly copy?: Readonly<Record<string, string>>
  readonly remove?: readonly string[]
  readonly rename?: Readonly<Record<string, string>>
  readonly cast?: Readonly<Record<string, FieldType>>
}

export interface Target {
  readonly event: string
  /** The first of these paths that has an ID counts. */
  readonly person: string | readonly string[]
  /** Absent: the time of the import. */
  readonly time?: string
  /** Absent: all fields but those of the person and the time. */
  readonly properties?: readonly string[]
}

/** Applies to a response that meets all of its conditions. */
export interface ErrorRule {
  readonly status?: number
  /** A part of the response. */
  readonly text?: string
  /** The path of a value in the response that is not empty, or that equals `value`. */
  readonly path?: string
  readonly value?: Scalar
  readonly action: 'ignore' | 'retry' | 'fail'
  /** Tells people what to do. */
  readonly message?: string
}

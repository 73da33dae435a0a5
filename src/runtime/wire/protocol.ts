/**
 * The messages between an app's process and the host, over the process's stdin and stdout. A frame is its length
 * (4 bytes, big endian, of everything that follows), its kind (1 byte) and its content.
 */

import type { Limits } from '../limits.ts'

export const FRAME = {
  /** JSON: `FromApp` or `ToApp`. */
  control: 0,
  /** The stream's ID (4 bytes), then a chunk of its content. */
  bytes: 1,
  /** The batch's ID (4 bytes), then its events: a JSON list of `EventFromApp`. */
  capture: 2,
  /** Empty from the host. The reply is the CPU time used so far in microseconds, as 8 bytes. */
  ping: 3,
} as const

export const FRAME_HEADER_LENGTH = 5

/** Parsed JSON takes up to 40 times the size of its text, and the text may come from a hostile app. */
export const MAX_FRAME_LENGTH = 4 * 1024 * 1024

/** The values of a message. Parsing costs time per value, not per byte: this many take up to 25 ms. */
export const MAX_MESSAGE_VALUES = 20_000

/** The bytes of a batch of events that the host converts in its main thread. It takes a millisecond or two. */
export const MAX_SMALL_BATCH = 64 * 1024

/** The longest content of a `bytes` frame. */
export const MAX_CHUNK_LENGTH = 128 * 1024
/** The bytes of a stream that may be in transit before its reader grants more. */
export const STREAM_WINDOW = 1024 * 1024

/** Returns the part of the window that a chunk takes. A small one takes as much memory as this many bytes. */
export const toChunkCost = (bytes: number): number => Math.max(bytes, 256)

/** The rows of one `skip` call. */
export const MAX_SKIPPED_ROWS_PER_CALL = 200

/** The calls that a process may have waiting for a reply. Further ones wait in the process, in its own memory. */
export const MAX_PENDING_CALLS = 1000
/** The bytes of waiting calls above which a process must not send another. */
export const MAX_PENDING_CALL_BYTES = 8 * 1024 * 1024

export interface AppError {
  readonly name: string
  readonly message: string
  /** The app's own stack frames only. */
  readonly stack: string
  /** Whether it is a `RetryError` or a subclass. */
  readonly retry: boolean
  /** Whether the app or the host marked it as temporary. */
  readonly temporary: boolean
}

/** A function of the app to call. */
export type Invocation =
  | { readonly kind: 'setup' | 'teardown' | 'migrate' }
  | {
      /**
       * The payload of `requests` is a list of `RequestToApp`, and the result a list of an `AppError` or null for each that
       * was handled.
       */
      readonly kind: 'job' | 'schedule' | 'requests' | 'backfill'
      readonly name: string
      readonly payload: unknown
    }

/** A request of another service. */
export interface RequestToApp {
  readonly method: string
  /** The part of the URL after the question mark. */
  readonly query: string
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** ISO 8601, UTC: the time of its events, unless the app gives one. */
  readonly received_at: string
  /** The first 24 hexadecimal digits of the UUIDs of its events, so that a repeated request stores nothing twice. */
  readonly ids: string
}

/** The exported functions that apps use as hooks. */
export const HOOKS = {
  setup: 'setupPlugin',
  teardown: 'teardownPlugin',
  migrate: 'migrateConfig',
  request: 'onRequest',
  backfill: 'runBackfill',
} as const

/** The functions that an app exports. */
export interface AppDescription {
  readonly scheduled_tasks: readonly string[]
  readonly jobs: readonly string[]
  readonly methods: readonly string[]
}

export type FromApp =
  | { readonly t: 'ready' }
  /** The process is about to call the function of an `invoke`. What it sent before belongs to no run or an earlier one. */
  | { readonly t: 'started' }
  | RpcResponse
  | { readonly t: 'call'; readonly id: number; readonly name: string; readonly args: unknown[] }
  | { readonly t: 'log'; readonly type: string; readonly message: string }
  /** An error that no code was waiting for. */
  | { readonly t: 'uncaught'; readonly message: string }
  | {
      readonly t: 'progress'
      readonly done: number
      readonly total: number | null
      readonly message: string
    }
  | StreamControl

export type ToApp =
  /** `modules` are Node's modules that apps may import. */
  | { readonly t: 'prelude'; readonly code: string; readonly modules: readonly string[] }
  | (RpcRequest & { readonly id: number })
  | CallReply
  | StreamControl

/** A request of the host to the app. */
export type RpcRequest =
  | { readonly t: 'load'; readonly app: AppToLoad }
  | { readonly t: 'invoke'; readonly task: Invocation }

export type RpcResponse =
  | { readonly t: 'result'; readonly id: number; readonly value?: unknown }
  | { readonly t: 'failure'; readonly id: number; readonly error: AppError }

/** The host's reply to a `call` of the app. */
export type CallReply =
  | { readonly t: 'reply'; readonly id: number; readonly value?: unknown }
  | { readonly t: 'refuse'; readonly id: number; readonly error: CallError }

/** Flow control, both ways: the reader grants more bytes; the sender is done; either side gives up. An app sends
 * nothing before the first grant, which comes when the host has room for it. */
export type StreamControl =
  | { readonly t: 'credit'; readonly stream: number; readonly bytes: number }
  | { readonly t: 'end'; readonly stream: number }
  | {
      readonly t: 'abort'
      readonly stream: number
      readonly message: string
      /** Only from the host: the error that the app gets when it reads on. */
      readonly error?: CallError
    }

export interface EventFromApp {
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly uuid?: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** The error that a host call throws in the app. */
export interface CallError {
  readonly name: string
  readonly message: string
  readonly type?: string
  readonly code?: string
  /** Whether the same call may succeed later. */
  readonly isTemporary?: boolean
}

export interface AppToLoad {
  readonly code: string
  readonly pluginId: number
  readonly pluginName: string
  readonly configId: number
  readonly config: Readonly<Record<string, unknown>>
  readonly attachments: readonly AttachmentToLoad[]
  readonly limits: Pick<
    Limits,
    | 'maxLogLines'
    | 'maxLogMessageLength'
    | 'maxEventLength'
    | 'maxStoredValueLength'
    | 'maxSkippedLength'
  >
}

export interface AttachmentToLoad {
  readonly key: string
  readonly content_type: string
  readonly file_name: string
  readonly size: number
  /** The stream of the contents, for an attachment small enough to be sent at once. */
  readonly stream?: number
}

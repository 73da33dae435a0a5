/**
 * What an app's process and its parent say to each other over the process's stdin and stdout.
 * A frame is its length (4 bytes, big endian, of all that follows), its kind (1 byte) and its content.
 */

import type { Limits } from '../limits.ts'

export const FRAME = {
  /** JSON: `FromApp` or `ToApp`. */
  control: 0,
  /** The stream's id (4 bytes), then a part of what flows through it. */
  bytes: 1,
  /** JSON: `CaptureBatch`. */
  capture: 2,
  /** From the parent empty; back: the CPU time used so far in microseconds, as 8 bytes. */
  ping: 3,
} as const

export const FRAME_HEADER_LENGTH = 5

/** Parsed JSON takes up to 40 times the room of its text, and the text may come from a hostile app. */
export const MAX_FRAME = 4 * 1024 * 1024

/** The most that one `bytes` frame holds. */
export const MAX_CHUNK = 128 * 1024
/** How much of a stream may be under way before its reader has asked for more. */
export const STREAM_WINDOW = 1024 * 1024

export interface AppError {
  readonly name: string
  readonly message: string
  /** The app's own frames only. */
  readonly stack: string
  /** `RetryError`, or one made of it. */
  readonly retry: boolean
}

export type Invocation =
  | { readonly what: 'setup' | 'teardown' | 'migrate' }
  | { readonly what: 'job' | 'schedule'; readonly name: string }

export interface AppDescription {
  readonly scheduled_tasks: readonly string[]
  readonly jobs: readonly string[]
  readonly methods: readonly string[]
}

export type FromApp =
  | { readonly t: 'ready' }
  | { readonly t: 'result'; readonly id: number; readonly value?: unknown }
  | { readonly t: 'failure'; readonly id: number; readonly error: AppError }
  | { readonly t: 'call'; readonly id: number; readonly name: string; readonly args: unknown[] }
  | { readonly t: 'log'; readonly type: string; readonly message: string }
  /** Thrown where nobody waits for it. */
  | { readonly t: 'problem'; readonly message: string }
  | {
      readonly t: 'progress'
      readonly done: number
      readonly total: number | null
      readonly message: string
    }
  | StreamControl

/** Both ways: more may be sent; all was sent; it broke, or is not wanted any more. */
export type StreamControl =
  | { readonly t: 'credit'; readonly stream: number; readonly bytes: number }
  | { readonly t: 'end'; readonly stream: number }
  | { readonly t: 'abort'; readonly stream: number; readonly message: string }

export interface CaptureBatch {
  readonly id: number
  readonly events: readonly {
    readonly event: string
    readonly distinct_id: string
    readonly timestamp: string
    readonly uuid?: string
    readonly properties: Readonly<Record<string, unknown>>
  }[]
}

export type ToApp =
  | { readonly t: 'prelude'; readonly code: string }
  | { readonly t: 'load'; readonly id: number; readonly app: AppToLoad }
  | { readonly t: 'invoke'; readonly id: number; readonly task: Invocation; payload?: unknown }
  | { readonly t: 'reply'; readonly id: number; readonly value?: unknown }
  | { readonly t: 'refuse'; readonly id: number; readonly error: CallError }
  | StreamControl

export interface CallError {
  readonly name: string
  readonly message: string
  readonly type?: string
  readonly code?: string
}

export interface AppToLoad {
  readonly code: string
  readonly pluginId: number
  readonly pluginName: string
  readonly configId: number
  readonly config: Readonly<Record<string, unknown>>
  /** `stream`: where the contents come from, for those small enough to be given at once. */
  readonly attachments: readonly {
    readonly key: string
    readonly content_type: string
    readonly file_name: string
    readonly size: number
    readonly stream?: number
  }[]
  readonly limits: Pick<
    Limits,
    'maxLogLines' | 'maxLogMessageLength' | 'maxEventLength' | 'maxStoredValueLength'
  >
}

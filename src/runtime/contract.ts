/**
 * The interface between the runtime and the rest of the service. The runtime knows no database: everything an app may
 * do beyond computing is in `AppServices`, which the caller creates for one config. The config's identity is in that
 * object and never in a message from the app.
 */

/** One enabled config, ready to run. */
export interface AppSpec {
  readonly configId: number
  readonly projectId: number
  readonly pluginId: number
  readonly pluginName: string
  /** Changes with the code, the settings and the attachments. A new version needs a new process. */
  readonly version: string
  /** One script, the output of `compileApp`. */
  readonly code: string
  /** The settings, with the real secrets. */
  readonly config: Readonly<Record<string, unknown>>
  /** Values that are masked in everything the app logs or throws. */
  readonly secrets: readonly string[]
  readonly attachments: Readonly<Record<string, AppAttachment>>
}

export interface AppAttachment {
  readonly content_type: string
  readonly file_name: string
  readonly size: number
  read(): AsyncIterable<Uint8Array>
}

export interface AppTask {
  /** `setup` only sets the app up, in a new process. */
  readonly kind: 'job' | 'schedule' | 'setup' | 'requests' | 'backfill'
  /** The job's name, or `runEveryMinute` and the like. */
  readonly name: string
  /**
   * A job's payload, a list of `RequestToApp`, or the window of a backfill. A job that the app queued without a payload
   * has none and gets `meta` as its first argument.
   */
  readonly payload: unknown
}

/** The end of a run. A failure by `infrastructure` is not the app's fault, so the run may be retried. */
export type AppOutcome =
  | {
      readonly ended: 'succeeded'
      /**
       * Why the app failed on each of the requests that it has handled: the first of those it got, at least one. Undefined
       * for one that it did not fail on.
       */
      readonly problems?: readonly (string | undefined)[]
    }
  | {
      readonly ended: 'failed'
      readonly by: 'app' | 'infrastructure'
      readonly message: string
      /** Set if the same run may succeed later. */
      readonly temporary?: TemporaryFailure
    }
  | { readonly ended: 'cancelled'; readonly message?: string }

export interface TemporaryFailure {
  /** The wait that the other side asks for; 0 if it does not say. */
  readonly retryAfterMs: number
}

export interface CapturedEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
  /** A JSON object as text. */
  readonly properties: string
}

export interface LogLine {
  readonly source: 'SYSTEM' | 'PLUGIN' | 'CONSOLE'
  readonly type: 'DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR'
  readonly message: string
  /** ISO 8601, UTC. */
  readonly at: string
}

export interface Progress {
  readonly done: number
  readonly total: number | null
  readonly message: string
}

/** A row that an app could not import. */
export interface SkippedRow {
  readonly reason: string
  /** The row as text, or empty. */
  readonly content: string
}

export interface QueuedJob {
  readonly name: string
  readonly payload: unknown
  /** ISO 8601, UTC. */
  readonly runAt: string
}

/** Durable key-value storage of one config. Values are JSON texts. */
export interface AppStorage {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
  delete(key: string): Promise<void>
  setIfAbsent(key: string, value: string): Promise<void>
  /** Adds `by` atomically. A missing key starts at 0. */
  increment(key: string, by: number): Promise<number>
}

/** Volatile, shared by a plugin's configs in a project. Values are texts; lists are lists of texts. */
export interface AppCache {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlSeconds: number | undefined): Promise<void>
  increment(key: string): Promise<number>
  expire(key: string, ttlSeconds: number): Promise<boolean>
  push(key: string, values: readonly string[]): Promise<number>
  range(key: string, start: number, end: number): Promise<string[]>
  length(key: string): Promise<number>
  remove(key: string, count: number, value: string): Promise<number>
  pop(key: string, count: number): Promise<string[]>
}

export interface AppServices {
  readonly storage: AppStorage
  readonly cache: AppCache
  /** Resolves when the events are durable, so that an app never loses events it believes are stored. */
  capture(events: readonly CapturedEvent[]): Promise<void>
  /**
   * Captures events that are too many or too large to be read in the main thread: a JSON list of what an app's process
   * sends, unchecked. Takes over the memory of the bytes. Throws an `AppProblem`.
   */
  captureLarge(json: Uint8Array<ArrayBuffer>): Promise<void>
  enqueue(job: QueuedJob): Promise<void>
  /** Takes rows that are already capped and masked. */
  skip(rows: readonly SkippedRow[]): Promise<void>
  /** Takes lines that are already capped and masked. Never throws, never waits. */
  log(line: LogLine): void
  progress(progress: Progress): void
  /** Says whether the run does nothing but wait, so that it needs no slot. */
  setIdle?(isIdle: boolean): void
  /** The target of `posthog.api` when the app names no host. */
  apiAccess(): Promise<{
    readonly origin: string
    readonly personalKey: string
    readonly projectToken: string
  }>
}

export interface Capabilities {
  readonly scheduled_tasks: readonly string[]
  readonly jobs: readonly string[]
  readonly methods: readonly string[]
}

/** All app processes of this server or worker. */
export interface Runtime {
  /** Runs a task in the config's warm process, or in a new one. Runs of one config never overlap. */
  run(spec: AppSpec, services: AppServices, task: AppTask, signal: AbortSignal): Promise<AppOutcome>
  /** Calls the app's `migrateConfig(config, meta)`. undefined if the app exports none. Throws an `AppProblem`. */
  migrateConfig(
    spec: AppSpec,
    services: AppServices,
  ): Promise<Readonly<Record<string, unknown>> | undefined>
  /** Loads the code in a process of its own, without setting it up, and lists its exports. Throws an `AppProblem`. */
  describe(code: string): Promise<Capabilities>
  /** Stops the config's process, because the config was changed, disabled or deleted. */
  evict(configId: number): Promise<void>
  /** Stops every process. */
  close(): Promise<void>
}

/** A problem with an app, worded for its author or the user who installed it. */
export class AppProblem extends Error {}

/**
 * What the runtime and the rest of the service ask of each other. The runtime knows no database: what an app may do
 * beyond computing is in `AppServices`, made for one config by whoever runs it. The config's identity is in that
 * object and never in a message from the app.
 */

import type { Limits } from './limits.ts'
import type { Sandbox } from './process/sandbox.ts'

/** One enabled config, ready to run. */
export interface AppSpec {
  readonly configId: number
  readonly projectId: number
  readonly pluginId: number
  readonly pluginName: string
  /** Changes whenever the code, the settings or the attachments do: another version needs another process. */
  readonly version: string
  /** One script, as `compileApp` makes it. */
  readonly code: string
  /** With the real secrets. */
  readonly config: Readonly<Record<string, unknown>>
  /** These values are masked in all that the app logs or throws. */
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
  readonly kind: 'job' | 'schedule'
  /** Of the job, or `runEveryMinute` and so on. */
  readonly name: string
  /** Jobs only. undefined: the job was queued by the app without one, and gets `meta` as its first argument. */
  readonly payload: unknown
}

/** How a run ended. `infrastructure`: not the app's doing, so it may be tried again. */
export type AppOutcome =
  | { readonly ended: 'succeeded' }
  | { readonly ended: 'failed'; readonly by: 'app' | 'infrastructure'; readonly message: string }
  | { readonly ended: 'cancelled'; readonly message?: string }

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

export interface QueuedJob {
  readonly name: string
  readonly payload: unknown
  /** ISO 8601, UTC. */
  readonly runAt: string
}

/** Values are JSON texts. */
export interface AppStorage {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
  delete(key: string): Promise<void>
  setIfAbsent(key: string, value: string): Promise<void>
  /** Atomic. Creates it at `by`. */
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
  /** Resolves when the events are durable: nothing that the app was told is stored can be lost. */
  capture(events: readonly CapturedEvent[]): Promise<void>
  enqueue(job: QueuedJob): Promise<void>
  /** Already capped and masked. Never throws, never waits. */
  log(line: LogLine): void
  progress(progress: Progress): void
  /** Where `posthog.api` leads when the app names no host, and with which key and token. */
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

export interface RuntimeOptions {
  /** Host names, addresses and CIDRs that apps may reach although they are private. */
  readonly allowedHosts: readonly string[]
  /** Refuse to run apps where the kernel seal cannot be set. */
  readonly requireSandbox: boolean
  /** Names that lead elsewhere: for tests and for operators who mirror an API. */
  readonly hostMap?: Readonly<Record<string, string>>
  /** For tests: other limits than usual, and another system. */
  readonly limits?: Partial<Limits>
  readonly findSandbox?: () => Sandbox
  /** How the operator learns of what is not as it should be. */
  warn(message: string): void
}

/** Every app process of this server or worker. */
export interface Runtime {
  /** Runs a task in the config's warm process, or in a new one. One at a time for each config. */
  run(spec: AppSpec, services: AppServices, task: AppTask, signal: AbortSignal): Promise<AppOutcome>
  /** The app's own `migrateConfig(config, meta)`; undefined when it exports none. Throws an `AppProblem`. */
  migrateConfig(
    spec: AppSpec,
    services: AppServices,
  ): Promise<Readonly<Record<string, unknown>> | undefined>
  /** What the code exports, found by loading it in a process of its own without setting it up. Throws an `AppProblem`. */
  describe(code: string): Promise<Capabilities>
  /** Ends the config's process, if there is one: it was changed, disabled or removed. */
  evict(configId: number): Promise<void>
  /** Ends every process. */
  close(): Promise<void>
}

/** What is wrong with an app, in words for whoever wrote or installed it. */
export class AppProblem extends Error {}

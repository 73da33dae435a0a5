const SECOND = 1000
const MINUTE = 60 * SECOND
const MIB = 1024 * 1024

/** Limits of one app: time, memory, output. Tests shorten them; operators cannot change them. */
export interface Limits {
  /** Longest blocking loop, unsettled promise, host call or `setupPlugin`. The same as upstream. */
  readonly waitMs: number
  readonly runMs: number
  readonly loadMs: number
  readonly teardownMs: number
  /** Time after which an unused process is stopped. */
  readonly idleMs: number
  /** Time between two checks of a process: whether it responds, and how much memory it uses. */
  readonly watchdogIntervalMs: number
  /** Delay before the first retry after a `RetryError` in `setupPlugin`. It doubles with each retry. */
  readonly setupRetryMs: number

  readonly maxProcesses: number
  /** Memory for JavaScript objects. */
  readonly heapMemoryBytes: number
  /** Memory outside the heap, such as buffers, that a process may allocate after it is ready. */
  readonly nativeMemoryBytes: number
  /** Total memory (RSS). The watchdog kills a process that uses more. */
  readonly residentMemoryBytes: number

  readonly maxLogLines: number
  readonly maxLogBytes: number
  readonly maxLogMessageLength: number
  /** Host calls and log lines. An app that exceeds it is slowed down, not refused. */
  readonly callsPerSecond: number
  readonly concurrentFetches: number
  readonly maxFetchedBytes: number
  /** Request bodies of a run that the host holds at a time. Further uploads wait. */
  readonly maxUploadBytes: number
  readonly maxStoredValueLength: number
  /** The reason for skipping a row, and the row. Longer ones are cut. */
  readonly maxSkippedLength: number
  /** Values that are added to a list at once. Storing them blocks the server. */
  readonly maxPushLength: number
  readonly maxEventLength: number
  /** Captured events that wait to be stored. Above it, the host stops reading from the process. */
  readonly maxUnstoredBytes: number
  /** Attachments that are sent whole when the app loads. The app reads the others as streams. */
  readonly maxAttachmentBytes: number
  readonly maxQueryRows: number
  readonly maxQueryBytes: number
}

export const DEFAULT_LIMITS: Limits = {
  waitMs: 30 * SECOND,
  runMs: 6 * 60 * MINUTE,
  loadMs: 10 * SECOND,
  teardownMs: 5 * SECOND,
  idleMs: 5 * MINUTE,
  watchdogIntervalMs: SECOND,
  setupRetryMs: 5 * SECOND,
  maxProcesses: 50,
  heapMemoryBytes: 128 * MIB,
  nativeMemoryBytes: 256 * MIB,
  residentMemoryBytes: 300 * MIB,
  maxLogLines: 10_000,
  maxLogBytes: 5 * MIB,
  maxLogMessageLength: 50_000,
  callsPerSecond: 2_000,
  concurrentFetches: 20,
  maxFetchedBytes: 20 * 1024 * MIB,
  maxUploadBytes: 8 * MIB,
  maxStoredValueLength: MIB / 2,
  maxSkippedLength: 2000,
  maxPushLength: MIB,
  maxEventLength: MIB / 2,
  maxUnstoredBytes: 8 * MIB,
  maxAttachmentBytes: 10 * MIB,
  maxQueryRows: 10_000,
  maxQueryBytes: 32 * MIB,
}

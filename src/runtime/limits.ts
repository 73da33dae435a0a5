const SECOND = 1000
const MINUTE = 60 * SECOND
const MIB = 1024 * 1024

/** Times in ms, sizes in bytes. Tests make them short; nobody else has had a reason to. */
export interface Limits {
  /** A loop that blocks, a promise that nothing settles, a call, `setupPlugin` as a whole. As upstream. */
  readonly waitMs: number
  readonly runMs: number
  readonly loadMs: number
  readonly teardownMs: number
  readonly idleMs: number
  /** How often a process is asked whether it still answers, and how much memory it holds. */
  readonly watchdogIntervalMs: number
  /** The first wait after a `RetryError` of `setupPlugin`; each further one is twice as long. */
  readonly setupRetryMs: number
  readonly maxProcesses: number
  readonly heapMemoryBytes: number
  /** What a process may allocate beside its heap, after it is ready. */
  readonly nativeMemoryBytes: number
  readonly residentMemoryBytes: number
  readonly maxLogLines: number
  readonly maxLogBytes: number
  readonly maxLogMessageLength: number
  /** Calls and log lines a second; more are delayed, not refused. */
  readonly callsPerSecond: number
  readonly concurrentFetches: number
  readonly maxFetchedBytes: number
  readonly maxStoredValueLength: number
  readonly maxEventLength: number
  /** Events that a process has sent and that are not stored yet; beyond, it is not read from. */
  readonly maxUnstoredBytes: number
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
  maxStoredValueLength: MIB / 2,
  maxEventLength: MIB / 2,
  maxUnstoredBytes: 8 * MIB,
  maxAttachmentBytes: 10 * MIB,
  maxQueryRows: 10_000,
  maxQueryBytes: 32 * MIB,
}

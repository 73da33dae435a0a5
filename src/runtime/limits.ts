const SECOND = 1000
const MINUTE = 60 * SECOND
const MIB = 1024 * 1024

/** Times in ms, sizes in bytes. Tests make them short; nobody else has had a reason to. */
export interface Limits {
  /** A loop that blocks, a promise that nothing settles, a call, `setupPlugin` as a whole. As upstream. */
  readonly wait: number
  readonly run: number
  readonly load: number
  readonly teardown: number
  readonly idle: number
  /** How often a process is asked whether it still answers, and how much memory it holds. */
  readonly tick: number
  /** The first wait after a `RetryError` of `setupPlugin`; each further one is twice as long. */
  readonly setupRetry: number
  readonly liveProcesses: number
  readonly heap: number
  /** What a process may allocate beside its heap, after it is ready. */
  readonly data: number
  readonly resident: number
  readonly logLines: number
  readonly logBytes: number
  readonly logMessage: number
  /** Calls and log lines a second; more are delayed, not refused. */
  readonly callsPerSecond: number
  readonly concurrentFetches: number
  readonly fetchedBytes: number
  readonly storedValue: number
  readonly event: number
  /** Events that a process has sent and that are not stored yet; beyond, it is not read from. */
  readonly unstoredBytes: number
  readonly attachmentContents: number
  readonly rows: number
  readonly rowBytes: number
}

export const DEFAULT_LIMITS: Limits = {
  wait: 30 * SECOND,
  run: 6 * 60 * MINUTE,
  load: 10 * SECOND,
  teardown: 5 * SECOND,
  idle: 5 * MINUTE,
  tick: SECOND,
  setupRetry: 5 * SECOND,
  liveProcesses: 50,
  heap: 128 * MIB,
  data: 256 * MIB,
  resident: 300 * MIB,
  logLines: 10_000,
  logBytes: 5 * MIB,
  logMessage: 50_000,
  callsPerSecond: 2_000,
  concurrentFetches: 20,
  fetchedBytes: 20 * 1024 * MIB,
  storedValue: MIB / 2,
  event: MIB / 2,
  unstoredBytes: 8 * MIB,
  attachmentContents: 10 * MIB,
  rows: 10_000,
  rowBytes: 32 * MIB,
}

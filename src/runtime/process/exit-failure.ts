import { Failure, OUT_OF_MEMORY } from '../failure.ts'

export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

/** Explains the exit of a process that the runtime did not kill. */
export function exitFailure({ code, signal, stderr }: ProcessExit, wasLoaded: boolean): Failure {
  if (/out of memory|Allocation failed/i.test(stderr)) return new Failure('app', OUT_OF_MEMORY)
  if (!wasLoaded) {
    const [reason] = stderr.trim().split('\n')
    return new Failure(
      'infrastructure',
      `The app's process did not start (${reason || (signal ?? code)}).`,
    )
  }
  if (signal === 'SIGKILL' || signal === 'SIGTERM') {
    return new Failure('infrastructure', "The app's process was killed from outside.")
  }
  // V8 traps when it cannot report the reason; under a memory limit the reason is memory
  if (signal === 'SIGTRAP' || signal === 'SIGILL' || signal === 'SIGABRT' || signal === 'SIGSEGV') {
    return new Failure('app', OUT_OF_MEMORY)
  }
  return new Failure('app', `The app ended its own process (${signal ?? `code ${code}`}).`)
}

import type { Exit } from './process/channel.ts'

/** Why something that was asked of an app did not come about. */
export class Failure extends Error {
  readonly by: 'app' | 'infrastructure'
  /** `setupPlugin` may be tried again. */
  readonly retry: boolean
  /** What the app's author wants to see. */
  readonly appStack: string | undefined

  constructor(
    by: 'app' | 'infrastructure',
    message: string,
    { retry = false, appStack }: { retry?: boolean; appStack?: string } = {},
  ) {
    super(message)
    this.by = by
    this.retry = retry
    this.appStack = appStack
  }
}

/** The runs that this ends may be tried again. */
export const STOPPING = new Failure('infrastructure', 'The server is stopping.')

/** Nobody waits for anything from it. */
export const STOPPED = new Failure('infrastructure', "The app's process was stopped.")

export const OUT_OF_MEMORY = 'The app ran out of memory.'

/** Of a process that nobody here has killed. */
export function toFailure({ code, signal, stderr }: Exit, wasLoaded: boolean): Failure {
  if (/out of memory|Allocation failed/i.test(stderr)) return new Failure('app', OUT_OF_MEMORY)
  if (!wasLoaded) {
    const [reason] = stderr.trim().split('\n')
    return new Failure(
      'infrastructure',
      `The app's process did not start (${reason || (signal ?? code)}).`,
    )
  }
  if (signal === 'SIGKILL' || signal === 'SIGTERM') {
    return new Failure('infrastructure', "The app's process was ended from outside.")
  }
  // V8 gives up by a trap where it cannot say why; under a limit of memory that is why
  if (signal === 'SIGTRAP' || signal === 'SIGILL' || signal === 'SIGABRT' || signal === 'SIGSEGV') {
    return new Failure('app', OUT_OF_MEMORY)
  }
  return new Failure('app', `The app ended its own process (${signal ?? `code ${code}`}).`)
}

const seconds = (ms: number): string => `${ms / 1000} second${ms === 1000 ? '' : 's'}`

export const loopTimeoutMessage = (ms: number): string =>
  `Script execution timed out after looping for ${seconds(ms)}`

export const waitTimeoutMessage = (
  ms: number,
  { pluginName, configId }: { readonly pluginName: string; readonly configId: number },
  name: string,
): string =>
  `Script execution timed out after promise waited for ${seconds(ms)} (${pluginName}, name: ${name}, pluginConfigId: ${configId})`

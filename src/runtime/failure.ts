/** Why a request to an app failed. `by: 'infrastructure'` means that the app is not to blame. */
export class Failure extends Error {
  readonly by: 'app' | 'infrastructure'
  /** Whether `setupPlugin` may be retried. */
  readonly retry: boolean
  /** Whether the same run may succeed later. */
  readonly temporary: boolean
  /** The stack for the app's author. */
  readonly appStack: string | undefined

  constructor(
    by: 'app' | 'infrastructure',
    message: string,
    {
      retry = false,
      temporary = retry,
      appStack,
    }: { retry?: boolean; temporary?: boolean; appStack?: string } = {},
  ) {
    super(message)
    this.by = by
    this.retry = retry
    this.temporary = temporary
    this.appStack = appStack
  }
}

/** Ends runs when the server shuts down; they may be retried. */
export const STOPPING = new Failure('infrastructure', 'The server is stopping.')

/** Ends a process that has no request in progress. */
export const STOPPED = new Failure('infrastructure', "The app's process was stopped.")

export const OUT_OF_MEMORY = 'The app ran out of memory.'

const seconds = (ms: number): string => `${ms / 1000} second${ms === 1000 ? '' : 's'}`

export const loopTimeoutMessage = (ms: number): string =>
  `Script execution timed out after looping for ${seconds(ms)}`

export const waitTimeoutMessage = (
  ms: number,
  { pluginName, configId }: { readonly pluginName: string; readonly configId: number },
  functionName: string,
): string =>
  `Script execution timed out after promise waited for ${seconds(ms)} (${pluginName}, name: ${functionName}, pluginConfigId: ${configId})`

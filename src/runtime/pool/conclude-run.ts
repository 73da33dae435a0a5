import type { AppOutcome } from '../contract.ts'
import type { Failure } from '../failure.ts'
import type { RunState } from '../host/run-state.ts'

const MAX_MESSAGE_LENGTH = 2000

/**
 * Decides the outcome of a run. If the service failed the app, that is the reason, however the app handled it; the
 * operator gets the details.
 */
export function concludeRun(
  run: RunState,
  failure: Failure | undefined,
  warn: (message: string) => void,
): AppOutcome {
  if (failure?.appStack) run.log.write('PLUGIN', 'ERROR', failure.appStack)
  if (run.serviceFault !== undefined) warn(`An app could not be served: ${run.serviceFault}`)
  if (run.hasLostEvents) {
    return {
      ended: 'failed',
      by: 'infrastructure',
      message: 'Events could not be stored just now.',
    }
  }
  if (!failure) return { ended: 'succeeded' }
  const by = run.serviceFault === undefined ? failure.by : 'infrastructure'
  const message = run.mask(failure.message, MAX_MESSAGE_LENGTH)
  const { trouble } = run.remote
  if (by === 'infrastructure' || !(failure.temporary || trouble)) {
    return { ended: 'failed', by, message }
  }
  const temporary = { retryAfterMs: trouble?.retryAfterMs ?? 0 }
  return { ended: 'failed', by, message, temporary }
}

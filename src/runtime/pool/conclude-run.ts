import type { AppOutcome } from '../contract.ts'
import { Failure } from '../failure.ts'
import type { RunState } from '../host/run-state.ts'
import { toFailure } from '../process/rpc.ts'
import type { AppError } from '../wire/protocol.ts'
import { isAppError } from '../wire/validate-message.ts'

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

/** Decides the outcome of a run that gave the app this many requests. Its process may have sent anything as the result. */
export function concludeRequests(
  run: RunState,
  result: unknown,
  given: number,
  warn: (message: string) => void,
): AppOutcome {
  const outcome = concludeRun(run, undefined, warn)
  if (outcome.ended !== 'succeeded') return outcome
  if (!isResult(result, given)) return concludeRun(run, BROKEN_RULES, warn)
  const failures = result.map((error) => error && toFailure(error))
  const failed = failures.filter((failure) => failure !== null)
  const [first] = failed
  // which of the failures the service is to blame for is unknown
  if (first && run.serviceFault !== undefined) return concludeRun(run, first, warn)
  for (const { appStack } of failed) if (appStack) run.log.write('PLUGIN', 'ERROR', appStack)
  const problems = failures.map((failure) =>
    failure === null ? undefined : run.mask(failure.message, MAX_MESSAGE_LENGTH),
  )
  return { ended: 'succeeded', problems }
}

const BROKEN_RULES = new Failure('app', 'The app broke the rules of its process.')

const isResult = (result: unknown, given: number): result is (AppError | null)[] =>
  Array.isArray(result) &&
  result.length > 0 &&
  result.length <= given &&
  result.every((error) => error === null || isAppError(error))

import type { AppOutcome } from '../contract.ts'
import type { Failure } from '../failure.ts'
import type { AppProcess } from '../process/app-process.ts'

const MAX_MESSAGE = 2000

/**
 * What is said of a run at its end. Where the service failed the app, that is the reason, whatever the app made of it;
 * the details are for the operator.
 */
export function concludeRun(
  app: AppProcess | undefined,
  failure: Failure | undefined,
  warn: (message: string) => void,
): AppOutcome {
  const run = app?.host.run
  if (failure?.appStack) run?.log.write('PLUGIN', 'ERROR', failure.appStack)
  if (run?.fault !== undefined) warn(`An app could not be served: ${run.fault}`)
  if (run?.lost) {
    return {
      ended: 'failed',
      by: 'infrastructure',
      message: 'Events could not be stored just now.',
    }
  }
  if (!failure) return { ended: 'succeeded' }
  const by = run?.fault === undefined ? failure.by : 'infrastructure'
  const message = (app?.host.mask(failure.message) ?? failure.message).slice(0, MAX_MESSAGE)
  return { ended: 'failed', by, message }
}

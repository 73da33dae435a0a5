import { createLimit } from '#server/concurrency.ts'
import type { Egress } from '#server/egress/egress.ts'
import type { AppServices, AppSpec } from '../contract.ts'
import type { Limits } from '../limits.ts'
import { createMask, type Mask } from './mask.ts'
import { createPostgresReader, type PostgresReader } from './postgres.ts'
import { createProgressReporter, type ProgressReporter } from './progress.ts'
import { createRunLog, type RunLog } from './run-log.ts'

/** Everything that belongs to one run and ends with it. */
export interface RunState {
  readonly services: AppServices
  /** Hides the config's secrets. */
  readonly mask: Mask
  readonly log: RunLog
  readonly progress: ProgressReporter
  readonly postgres: PostgresReader
  /** Aborted when the run ends, which stops everything the run has started. */
  readonly ended: AbortSignal
  fetchedBytes: number
  /** Limits how many bodies stream at once. */
  limitFetches<T>(work: () => Promise<T>): Promise<T>
  /** Why the service could not serve a call of the run. */
  serviceFault: string | undefined
  /** Whether events that the app captured could not be stored. */
  hasLostEvents: boolean
  end(): Promise<void>
}

export function createRunState(
  spec: AppSpec,
  services: AppServices,
  { limits, egress }: { readonly limits: Limits; readonly egress: Egress },
): RunState {
  const mask = createMask(spec.secrets)
  const progress = createProgressReporter((latest) => services.progress(latest))
  const postgres = createPostgresReader(egress, limits)
  const ended = new AbortController()
  return {
    services,
    mask,
    log: createRunLog(services, mask, limits),
    progress,
    postgres,
    ended: ended.signal,
    fetchedBytes: 0,
    limitFetches: createLimit(limits.concurrentFetches),
    serviceFault: undefined,
    hasLostEvents: false,
    async end() {
      ended.abort()
      progress.end()
      await postgres.close()
    },
  }
}

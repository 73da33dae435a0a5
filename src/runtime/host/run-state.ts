import { createLimit } from '#server/concurrency.ts'
import type { Egress } from '#server/egress/egress.ts'
import type { AppServices } from '../contract.ts'
import type { Limits } from '../limits.ts'
import { createPostgresReader, type PostgresReader } from './postgres.ts'
import { createProgress, type ProgressReporter } from './progress.ts'
import { createRunLog, type RunLog } from './run-log.ts'

/** What belongs to one run, and ends with it. */
export interface RunState {
  readonly services: AppServices
  readonly log: RunLog
  readonly progress: ProgressReporter
  readonly postgres: PostgresReader
  /** Aborted when the run ends: nothing that it began goes on. */
  readonly ending: AbortController
  fetchedBytes: number
  /** Lets only so many bodies flow at once. */
  fetching<T>(work: () => Promise<T>): Promise<T>
  /** Why the service could not do what the run asked of it. */
  fault: string | undefined
  /** Events that the app sent, and that are not stored. */
  lost: boolean
  end(): Promise<void>
}

export function createRunState(
  services: AppServices,
  mask: (text: string) => string,
  { limits, egress }: { readonly limits: Limits; readonly egress: Egress },
): RunState {
  const progress = createProgress((told) => services.progress(told))
  const postgres = createPostgresReader(egress, limits)
  const ending = new AbortController()
  return {
    services,
    log: createRunLog(services, mask, limits),
    progress,
    postgres,
    ending,
    fetchedBytes: 0,
    fetching: createLimit(limits.concurrentFetches),
    fault: undefined,
    lost: false,
    async end() {
      ending.abort()
      progress.end()
      await postgres.close()
    },
  }
}

import { createBudget, createLimit } from '#server/concurrency.ts'
import type { Egress } from '#server/egress/egress.ts'
import { AppProblem, type AppServices, type AppSpec } from '../contract.ts'
import type { Limits } from '../limits.ts'
import { createMysqlReader } from './databases/mysql/reader.ts'
import { createPostgresReader } from './databases/postgres.ts'
import type { DatabaseReader } from './databases/reader.ts'
import type { HostBudgets } from './host-budgets.ts'
import { createMask, type Mask } from './mask.ts'
import { createPace, type Pace } from './pace.ts'
import { createProgressRelay, type ProgressRelay } from './progress.ts'
import { createRemote, type Remote } from './remote.ts'
import { createRunLog, type RunLog } from './run-log.ts'

/** Everything that belongs to one run and ends with it. */
export interface RunState {
  readonly services: AppServices
  /** Hides the config's secrets. */
  readonly mask: Mask
  readonly log: RunLog
  readonly progress: ProgressRelay
  readonly postgres: DatabaseReader
  readonly mysql: DatabaseReader
  /** Aborted when the run ends, which stops everything the run has started. */
  readonly ended: AbortSignal
  /** The state of the servers that the run requests. */
  readonly remote: Remote
  /** The budgets of the config, which its runs share. */
  readonly budgets: HostBudgets
  readonly pace: Pace
  fetchedBytes: number
  /** Limits how many bodies stream at once. */
  limitFetches<T>(work: () => Promise<T>): Promise<T>
  /** Limits how many bytes of request bodies the host holds at once. */
  limitUploads<T>(bytes: number, work: () => Promise<T>): Promise<T>
  /** Why the service could not serve a call of the run. */
  serviceFault: string | undefined
  /** Whether events that the app captured could not be stored. */
  hasLostEvents: boolean
  end(): Promise<void>
  /** Creates the state of another run with the same services. */
  renew(): RunState
}

const RUN_ENDED = new AppProblem('The run has ended.')

export function createRunState(
  spec: AppSpec,
  services: AppServices,
  options: { readonly limits: Limits; readonly egress: Egress; readonly budgets: HostBudgets },
): RunState {
  const { limits, egress, budgets } = options
  const mask = createMask(spec.secrets)
  const progress = createProgressRelay((latest) => services.progress(latest))
  const postgres = createPostgresReader(egress, limits)
  const mysql = createMysqlReader(egress, limits)
  const ended = new AbortController()
  const remote = createRemote()
  return {
    services,
    mask,
    log: createRunLog(services, mask, limits),
    progress,
    postgres,
    mysql,
    ended: ended.signal,
    remote,
    budgets,
    pace: createPace({ budgets, remote, ended: ended.signal, services }),
    fetchedBytes: 0,
    limitFetches: createLimit(limits.concurrentFetches),
    limitUploads: createBudget(limits.maxUploadBytes),
    serviceFault: undefined,
    hasLostEvents: false,
    async end() {
      ended.abort(RUN_ENDED)
      progress.end()
      await Promise.all([postgres.close(), mysql.close()])
    },
    renew: () => createRunState(spec, services, options),
  }
}

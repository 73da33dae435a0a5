import type { Tx } from '#server/db/schema.ts'
import { uuid } from '#server/db/values.ts'
import type { LogLine } from '#server/runtime/contract.ts'
import type { ConfigRow } from '../configs/store.ts'
import { insertLogs } from './logs/log-store.ts'
import { addMetrics } from './metrics/metrics-store.ts'
import type { Run } from './schema.ts'

/** A run of the past, as its worker left it. */
export interface FinishedRun
  extends Pick<Run, 'kind' | 'name' | 'message' | 'events' | 'created_by'> {
  readonly state: 'succeeded' | 'failed'
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly finishedAt: number
  /** The run that it retries, by its index in the list. */
  readonly retryOf?: number
  readonly lines: readonly LogLine[]
}

type FinishedConfig = Pick<ConfigRow, 'id' | 'project_id' | 'plugin_id'>

/** Stores runs of the past with their logs and metrics, for a config that has a history from its beginning. */
export async function insertFinishedRuns(
  tx: Tx,
  config: FinishedConfig,
  runs: readonly FinishedRun[],
): Promise<void> {
  const ids = runs.map(() => uuid())
  await tx
    .insertInto('runs')
    .values(runs.map((run, index) => toRow(config, run, ids, index)))
    .execute()
  await insertLogs(
    tx,
    runs.flatMap(({ lines }, index) =>
      lines.map(({ at, ...line }) => ({
        ...line,
        project_id: config.project_id,
        config_id: config.id,
        run_id: ids[index] as string,
        created_at: at,
      })),
    ),
  )
  for (const { state, events, finishedAt } of runs) {
    const counts = state === 'succeeded' ? { runs_succeeded: 1, events } : { runs_failed: 1 }
    await addMetrics(tx, config.id, counts, finishedAt)
  }
}

function toRow(config: FinishedConfig, run: FinishedRun, ids: readonly string[], index: number) {
  const { kind, name, message, events, state, created_by, retryOf } = run
  const startedAt = new Date(run.startedAt).toISOString()
  return {
    id: ids[index] as string,
    project_id: config.project_id,
    config_id: config.id,
    plugin_id: config.plugin_id,
    kind,
    name,
    payload: 'null',
    operation: 'start',
    state,
    message,
    created_by,
    created_at: startedAt,
    run_at: startedAt,
    started_at: startedAt,
    finished_at: new Date(run.finishedAt).toISOString(),
    attempt: 1,
    done: events,
    events,
    new_events: events,
    retry_of: retryOf === undefined ? null : (ids[retryOf] as string),
  }
}

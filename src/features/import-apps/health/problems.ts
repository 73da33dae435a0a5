import type { Db } from '#server/db/schema.ts'
import type { ConfigRow } from '../configs/store.ts'
import { findPlugin } from '../plugins/store.ts'
import { listRuns } from '../runs/schedules/schedules.ts'
import { findDeadline, toLateMessage } from './health.ts'
import { readHistory } from './store.ts'

export const PROBLEMS = ['failed', 'stale', 'skipped', 'schema_changed'] as const
export type ProblemKind = (typeof PROBLEMS)[number]

export interface Problem {
  readonly message: string
  readonly since: string
}

export type Problems = Readonly<Partial<Record<ProblemKind, Problem>>>

export interface ImportProblems {
  readonly name: string
  readonly isPaused: boolean
  readonly problems: Problems
  /** The time from which the import is late, unless a run succeeds before, in ms; may be infinite. */
  readonly deadline: number
}

/** Finds what is wrong with an import now. Unlike its health, an import can have several problems. */
export async function findProblems(
  db: Db,
  config: ConfigRow,
  time: number,
): Promise<ImportProblems> {
  const plugin = await findPlugin(db, config.plugin_id)
  const history = await readHistory(db, config.id)
  const { lastSuccess, lastFailure, failuresInARow, since } = history
  const deadline = findDeadline(config, listRuns(config, plugin), lastSuccess)
  const problems: Partial<Record<ProblemKind, Problem>> = {}
  if (failuresInARow > 0 && lastFailure) {
    problems.failed = { message: lastFailure.message, since: since ?? lastFailure.created_at }
  }
  if (time > deadline) {
    const message = toLateMessage(config, lastSuccess)
    problems.stale = { message, since: new Date(deadline).toISOString() }
  }
  const ended = lastSuccess?.finished_at ?? ''
  if (lastSuccess && lastSuccess.skipped > 0) {
    problems.skipped = {
      message: `The last run skipped ${lastSuccess.skipped} rows.`,
      since: ended,
    }
  }
  if (lastSuccess?.schema_change) {
    problems.schema_changed = { message: lastSuccess.schema_change, since: ended }
  }
  const name = config.name || plugin?.name || ''
  return { name, isPaused: config.enabled === 0, problems, deadline }
}

import {
  handlesRequests,
  ON_REQUEST,
  RUN_BACKFILL,
  runsBackfills,
  SET_UP,
  setsUpJobs,
} from '#model/app-limitation.ts'
import { ADMIN_LEVEL } from '#server/access/keys.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { findUser } from '#server/features/accounts/users/store.ts'
import type { Plugin } from '#server/features/import-apps/plugins/schema.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import { requireAllowedJob } from '../job-rules.ts'

/**
 * Finds the reason why a run must not start, or undefined. Runs are checked again after they were queued, because
 * the app may have changed or the user may have lost a role.
 */
export async function findRefusal(
  db: Db,
  run: RunRow,
  plugin: Plugin,
): Promise<string | undefined> {
  if (run.backfill_id !== null) {
    return runsBackfills(plugin) ? undefined : `The app has no ${RUN_BACKFILL}.`
  }
  if (run.kind === 'schedule') {
    const { scheduled_tasks = [] } = plugin.capabilities
    const isKnown =
      run.name === SET_UP
        ? setsUpJobs(plugin)
        : run.name === ON_REQUEST
          ? handlesRequests(plugin)
          : scheduled_tasks.includes(run.name)
    return isKnown ? undefined : `The app has no task ${run.name}.`
  }
  try {
    requireAllowedJob(plugin, run, await isStaff(db, run.created_by))
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return `This job is no longer allowed. ${error.message}`
    throw error
  }
}

async function isStaff(db: Db, userId: number | null): Promise<boolean> {
  const user = userId === null ? undefined : await findUser(db, userId)
  return user !== undefined && user.removed_at === null && user.level >= ADMIN_LEVEL
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '#server/access/guard.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'
import { conflict } from '#server/errors.ts'
import { patchDashboard } from '#server/features/dashboards/dashboards/dashboards.ts'
import { findDashboard } from '#server/features/dashboards/dashboards/store.ts'
import { removeConfig } from '#server/features/import-apps/configs/configs.ts'
import { cancelActiveRuns } from '#server/features/import-apps/runs/execution/claim-store.ts'
import { disableNotifications } from '#server/features/notifications/disable.ts'
import { DEMO_APP, DEMO_HOST } from './demo-app.ts'
import {
  deleteRemovedDemo,
  findDemo,
  listConfigIds,
  listRemovedDemos,
  updateDemo,
} from './store.ts'

interface RemovalDeps {
  readonly db: Db
  readonly events: EventStore
}

/**
 * Deletes the demo app with its events and persons, and trashes its dashboard with the insights that only it shows.
 * Their alerts and subscriptions are disabled, or they would report missing data once something is restored.
 */
export async function removeDemo({ db, events }: RemovalDeps, caller: Caller): Promise<void> {
  const { projectId } = caller
  await stopImports(db, projectId)
  await changeProject(db, projectId, async (tx) => {
    for (const id of await listConfigIds(tx, projectId, DEMO_APP))
      await removeConfig(tx, caller, id)
    await trashDashboard(tx, caller)
    await updateDemo(tx, projectId, {
      demo_config_id: null,
      demo_dashboard_id: null,
      demo_removed_at: now(),
    })
  })
  // after the commit: if this process dies before it, maintenance deletes the events
  await events.deleteByProperty(projectId, DEMO_HOST)
}

/** A worker notices the cancellation with its next heartbeat. */
const STOP_MS = 20_000
const POLL_MS = 100

/** Ends active imports first, or they would store events after the removal. */
async function stopImports(db: Db, projectId: number): Promise<void> {
  const configs = await listConfigIds(db, projectId, DEMO_APP)
  const deadline = Date.now() + STOP_MS
  while ((await changeProject(db, projectId, (tx) => cancelActiveRuns(tx, configs))) > 0) {
    if (Date.now() > deadline) {
      throw conflict('The import of the demo data is still stopping. Try again in a moment.')
    }
    await sleep(POLL_MS)
  }
}

async function trashDashboard(tx: Tx, caller: Caller): Promise<void> {
  const { demo_dashboard_id } = await findDemo(tx, caller.projectId)
  const row = await findDashboard(tx, caller, demo_dashboard_id ?? 0)
  if (!row) return
  const body = { deleted: true, delete_insights: true }
  if (!row.deleted) await patchDashboard(tx, caller, { id: row.id, body })
  await disableNotifications(tx, caller, row.id)
}

/** Time for events that were captured before the removal to arrive. */
const STRAGGLERS_S = 3600

/** Deletes demo events that were left by a crash or came in during the removal. */
export async function finishDemoRemovals(db: Db, events: EventStore): Promise<void> {
  for (const { id, demo_removed_at } of await listRemovedDemos(db)) {
    await events.deleteByProperty(id, DEMO_HOST)
    if (demo_removed_at > inSeconds(-STRAGGLERS_S)) continue
    await deleteRemovedDemo(db, id, demo_removed_at)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '#server/access/guard.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'
import { conflict } from '#server/errors.ts'
import { removeConfig } from '#server/features/import-apps/configs/configs.ts'
import { cancelActiveRuns } from '#server/features/import-apps/runs/execution/claim-store.ts'
import { DEMO_APP, DEMO_HOST } from './demo-app.ts'
import { removeItems } from './demo-items.ts'
import {
  deleteRemovedDemo,
  findDemo,
  listConfigIds,
  listRemovedDemos,
  NO_ITEMS,
  updateDemo,
} from './store.ts'

interface RemovalDeps {
  readonly db: Db
  readonly events: EventStore
}

/** Deletes the demo app with its events, persons and groups, and everything else that loading created. */
export async function removeDemo({ db, events }: RemovalDeps, caller: Caller): Promise<void> {
  const { projectId } = caller
  await stopImports(db, projectId)
  await changeProject(db, projectId, async (tx) => {
    for (const id of await listConfigIds(tx, projectId, DEMO_APP))
      await removeConfig(tx, caller, id)
    const { items } = await findDemo(tx, projectId)
    await removeItems({ db: tx, events }, caller, items)
    await updateDemo(tx, projectId, { configId: null, items: NO_ITEMS, removedAt: now() })
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

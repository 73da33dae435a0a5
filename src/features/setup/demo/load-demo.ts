import type { Caller } from '#server/access/guard.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { changeProject } from '#server/db/change.ts'
import type { Tx } from '#server/db/schema.ts'
import { createConfig, getConfigRow } from '#server/features/import-apps/configs/configs.ts'
import { findConfigRow } from '#server/features/import-apps/configs/store.ts'
import { insertFinishedRuns } from '#server/features/import-apps/runs/finished-runs.ts'
import { triggerJob } from '#server/features/import-apps/runs/runs.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { listNewestRuns } from '#server/features/import-apps/runs/store.ts'
import type { NotificationDeps } from '#server/features/notifications/source.ts'
import { DEMO_APP } from './demo-app.ts'
import { ensureDefinitions, ensureItems } from './demo-items.ts'
import { listPastRuns } from './past-runs.ts'
import type { DemoData } from './schema.ts'
import { findDemo, updateDemo } from './store.ts'

const CONFIG = {
  plugin: DEMO_APP,
  name: 'Field Notes',
  description: 'Visits, sign-ups, tasks and invoices of an invented product.',
  enabled: true,
}
const JOB = { type: 'Generate events', payload: { events: 14_000 } }

export interface LoadDeps extends NotificationDeps {
  readonly events: EventStore
}

/** Adds the app, starts its import and creates everything that shows its events. What is already there is kept. */
export async function loadDemo(deps: LoadDeps, given: Caller): Promise<DemoData> {
  // an admin's key needs the scope of the route, not that of every item
  const caller = { ...given, scopes: new Set(['*']) }
  const demo = await changeProject(deps.db, caller.projectId, (tx) =>
    ensureDemo({ ...deps, db: tx }, caller),
  )
  deps.wakeUps.notify() // after the commit, when the workers can see the run
  await addDefinitions(deps, caller)
  return demo
}

async function addDefinitions(deps: LoadDeps, caller: Caller): Promise<void> {
  const { db } = deps
  const { projectId } = caller
  const definitions = await ensureDefinitions(deps, caller, (await findDemo(db, projectId)).items)
  await changeProject(db, projectId, async (tx) => {
    const before = await findDemo(tx, projectId)
    await updateDemo(tx, projectId, { ...before, items: { ...before.items, ...definitions } })
  })
}

async function ensureDemo(deps: LoadDeps & { readonly db: Tx }, caller: Caller): Promise<DemoData> {
  const { db } = deps
  const { projectId } = caller
  const before = await findDemo(db, projectId)
  const config_id = await ensureConfig(deps, caller, before.configId ?? 0)
  const items = await ensureItems(deps, caller, before.items)
  await updateDemo(db, projectId, { configId: config_id, items, removedAt: null })
  const run = await findImport(db, projectId, config_id)
  return {
    config_id,
    dashboard_id: items.dashboards[0] as number,
    dashboard_ids: [...items.dashboards],
    run: run ?? (await triggerJob(deps, caller, { configId: config_id, job: JOB })),
  }
}

async function ensureConfig(
  deps: LoadDeps & { readonly db: Tx },
  caller: Caller,
  id: number,
): Promise<number> {
  const { db } = deps
  const known = await findConfigRow(db, caller.projectId, id)
  if (known && !known.deleted) return known.id
  const created = await createConfig(deps, caller, CONFIG)
  const config = await getConfigRow(db, caller.projectId, created.id)
  await insertFinishedRuns(db, config, listPastRuns(Date.now(), caller.userId))
  return created.id
}

/** Finds the newest import, unless it failed or was canceled. */
async function findImport(tx: Tx, projectId: number, configId: number): Promise<Run | undefined> {
  const runs = await listNewestRuns(tx, projectId, configId, { limit: 100, offset: 0 })
  const newest = runs.find(({ kind }) => kind === 'job')
  return newest && ['queued', 'running', 'succeeded'].includes(newest.state) ? newest : undefined
}

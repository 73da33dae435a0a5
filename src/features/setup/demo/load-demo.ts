import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { createDashboard } from '#server/features/dashboards/dashboards/dashboards.ts'
import { findDashboard } from '#server/features/dashboards/dashboards/store.ts'
import { createConfig } from '#server/features/import-apps/configs/configs.ts'
import { findConfigRow } from '#server/features/import-apps/configs/store.ts'
import { triggerJob } from '#server/features/import-apps/runs/runs.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { listNewestRuns } from '#server/features/import-apps/runs/store.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { DEMO_APP } from './demo-app.ts'
import type { DemoData } from './schema.ts'
import { findDemo, updateDemo } from './store.ts'

const NAME = 'Demo data'
const JOB = { type: 'Generate events', payload: { events: 20_000 } }
const DASHBOARD = { name: 'Product overview', use_template: 'DEFAULT_APP' }

interface LoadDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly wakeUps: WakeUps
}

/** Adds the app, starts its import and creates a dashboard, in one transaction. What is already there is kept. */
export async function loadDemo(deps: LoadDeps, caller: Caller): Promise<DemoData> {
  const demo = await changeProject(deps.db, caller.projectId, (tx) =>
    ensureDemo({ ...deps, db: tx }, caller),
  )
  deps.wakeUps.notify() // after the commit, when the workers can see the run
  return demo
}

async function ensureDemo(deps: LoadDeps & { readonly db: Tx }, caller: Caller): Promise<DemoData> {
  const { db, secrets } = deps
  const { projectId } = caller
  const before = await findDemo(db, projectId)
  const config = await findConfigRow(db, projectId, before.demo_config_id ?? 0)
  const config_id =
    config && !config.deleted
      ? config.id
      : (
          await createConfig({ db, secrets }, caller, {
            plugin: DEMO_APP,
            name: NAME,
            enabled: true,
          })
        ).id
  const shown = await findDashboard(db, caller, before.demo_dashboard_id ?? 0)
  const dashboard_id =
    shown && !shown.deleted ? shown.id : (await createDashboard(db, caller, DASHBOARD)).row.id
  await updateDemo(db, projectId, {
    demo_config_id: config_id,
    demo_dashboard_id: dashboard_id,
    demo_removed_at: null,
  })
  const run = await findImport(db, projectId, config_id)
  return {
    config_id,
    dashboard_id,
    run: run ?? (await triggerJob(deps, caller, { configId: config_id, job: JOB })),
  }
}

/** Finds the newest import, unless it failed or was canceled. */
async function findImport(tx: Tx, projectId: number, configId: number): Promise<Run | undefined> {
  const runs = await listNewestRuns(tx, projectId, configId, { limit: 100, offset: 0 })
  const newest = runs.find(({ kind }) => kind === 'job')
  return newest && ['queued', 'running', 'succeeded'].includes(newest.state) ? newest : undefined
}

import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import {
  createAnnotation,
  patchAnnotation,
} from '#server/features/dashboards/annotations/annotations.ts'
import {
  createDashboard,
  patchDashboard,
} from '#server/features/dashboards/dashboards/dashboards.ts'
import { findDashboard } from '#server/features/dashboards/dashboards/store.ts'
import { patchSharing } from '#server/features/dashboards/sharing/sharing.ts'
import { listTiles } from '#server/features/dashboards/tiles/store.ts'
import { listNamedActions } from '#server/features/events/action-rows/store.ts'
import { createAction, patchAction } from '#server/features/events/actions/actions.ts'
import {
  type CohortDeps,
  createCohort,
  patchCohort,
} from '#server/features/events/cohorts/cohorts.ts'
import { findCohortOfAction } from '#server/features/events/cohorts/definitions.ts'
import { findCohort } from '#server/features/events/cohorts/store.ts'
import { createAlert } from '#server/features/notifications/alerts/alerts.ts'
import { alertSource } from '#server/features/notifications/alerts/source.ts'
import { findAlert } from '#server/features/notifications/alerts/store.ts'
import { disableNotifications } from '#server/features/notifications/disable.ts'
import { type NotificationDeps, removeSource } from '#server/features/notifications/source.ts'
import { subscriptionSource } from '#server/features/notifications/subscriptions/source.ts'
import { findSubscription } from '#server/features/notifications/subscriptions/store.ts'
import { createSubscription } from '#server/features/notifications/subscriptions/subscriptions.ts'
import { findLaunchDay } from './demo-app.ts'
import type { DemoItems } from './store.ts'

/** The first is the one that opens; it has a public link. The last has the figure that the alert watches. */
const DASHBOARDS = [
  { name: 'Website', use_template: 'Web overview' },
  { name: 'SaaS product', use_template: 'SaaS metrics' },
  { name: 'Imports and revenue', use_template: 'Imports and revenue' },
]

/** Short enough for charts to show it whole. */
const LAUNCH = '2.0 launched'

const ALERT = {
  name: 'Revenue above $5,000 in 30 days',
  watched: 'Revenue',
  threshold: { configuration: { type: 'absolute', bounds: { upper: 5000 } } },
  targets: [{ type: 'webhook', url: 'https://hooks.fieldnotes.example.com/revenue' }],
} as const

const COHORT = {
  name: 'Power users',
  description: 'Completed a task at least 5 times in the last 30 days.',
  filters: {
    properties: {
      type: 'AND',
      values: [
        {
          type: 'behavioral',
          key: 'task_completed',
          value: 'performed_event_multiple',
          operator: 'gte',
          operator_value: 5,
          time_value: 30,
          time_interval: 'day',
        },
      ],
    },
  },
}

const SUBSCRIPTION = {
  title: 'Website, every week',
  frequency: 'weekly',
  target_type: 'webhook',
  target_value: 'https://hooks.fieldnotes.example.com/website',
} as const

const ACTION = {
  name: 'Got started',
  description: 'Created a project or invited a teammate.',
  steps: [{ event: 'project_created' }, { event: 'teammate_invited' }],
}

/** Creates what is missing: dashboards, a public link, an annotation, an alert and a subscription. */
export async function ensureItems(
  deps: NotificationDeps & { readonly db: Tx },
  caller: Caller,
  before: DemoItems,
): Promise<DemoItems> {
  const dashboards: number[] = []
  for (const [index, body] of DASHBOARDS.entries()) {
    dashboards.push(await ensureDashboard(deps.db, caller, before.dashboards[index] ?? 0, body))
  }
  const [shared = 0, watched = 0] = [dashboards[0], dashboards.at(-1)]
  if (shared !== before.dashboards[0]) {
    await patchSharing(deps.db, caller, { dashboardId: shared, body: { enabled: true } })
  }
  return {
    ...before,
    dashboards,
    annotation: before.annotation ?? (await annotateLaunch(deps.db, caller)),
    alert: before.alert ?? (await addAlert(deps, caller, watched)),
    subscription: before.subscription ?? (await addSubscription(deps, caller, shared)),
  }
}

/** Creates a cohort and an action outside a transaction, because the event store counts the cohort's persons. */
export async function ensureDefinitions(
  deps: CohortDeps,
  caller: Caller,
  before: DemoItems,
): Promise<Pick<DemoItems, 'cohort' | 'action'>> {
  const cohort = before.cohort ?? (await createCohort(deps, caller, COHORT)).id
  const action = before.action ?? (await addAction(deps, caller))
  return { cohort, ...(action && { action }) }
}

/** Creates the action, unless the project has its own under this name. */
async function addAction(deps: CohortDeps, caller: Caller): Promise<number | undefined> {
  const named = await listNamedActions(deps.db, caller.projectId, ACTION.name)
  return named.length === 0 ? (await createAction(deps, caller, ACTION)).id : undefined
}

async function ensureDashboard(
  tx: Tx,
  caller: Caller,
  id: number,
  body: (typeof DASHBOARDS)[number],
): Promise<number> {
  const row = await findDashboard(tx, caller, id)
  if (row && !row.deleted) return row.id
  return (await createDashboard(tx, caller, { ...body, pinned: true })).row.id
}

async function annotateLaunch(tx: Tx, caller: Caller): Promise<number> {
  const date_marker = findLaunchDay(Date.now()).toISOString()
  const body = { content: LAUNCH, date_marker, scope: 'project' } as const
  const created = await createAnnotation(tx, { ...caller, canMarkOrganization: false }, body)
  return JSON.parse(created).id
}

async function addAlert(
  deps: NotificationDeps,
  caller: Caller,
  dashboardId: number,
): Promise<string> {
  const { watched, ...alert } = ALERT
  const tiles = await listTiles(deps.db, caller.projectId, dashboardId)
  const insight = tiles.find(({ name }) => name === watched)?.insight_id ?? 0
  return (await createAlert(deps, caller, { ...alert, targets: [...alert.targets], insight })).id
}

async function addSubscription(
  deps: NotificationDeps,
  caller: Caller,
  dashboard: number,
): Promise<number> {
  return (await createSubscription(deps, caller, { ...SUBSCRIPTION, dashboard })).id
}

/**
 * Deletes or trashes all items. The dashboards take the insights that only they show with them, whose alerts and
 * subscriptions are disabled, or they would report missing data once something is restored.
 */
export async function removeItems(
  { db, events }: CohortDeps & { readonly db: Tx },
  caller: Caller,
  { dashboards, annotation, alert, subscription, cohort, action }: DemoItems,
): Promise<void> {
  const { projectId } = caller
  if (alert && (await findAlert(db, projectId, alert))) {
    await removeSource({ db }, alertSource, caller, alert)
  }
  if (subscription && (await findSubscription(db, projectId, subscription))) {
    await removeSource({ db }, subscriptionSource, caller, String(subscription))
  }
  // a cohort of the project may count the action
  if (action && !(await findCohortOfAction(db, projectId, action))) {
    await patchAction({ db, events }, caller, { id: String(action), body: { deleted: true } })
  }
  if (cohort && (await findCohort(db, projectId, cohort))) {
    await patchCohort({ db, events }, caller, { id: String(cohort), body: { deleted: true } })
  }
  if (annotation) {
    const writer = { ...caller, canMarkOrganization: false }
    await patchAnnotation(db, writer, { id: String(annotation), body: { deleted: true } })
  }
  for (const id of dashboards) await trashDashboard(db, caller, id)
}

async function trashDashboard(tx: Tx, caller: Caller, id: number): Promise<void> {
  const row = await findDashboard(tx, caller, id)
  if (!row) return
  const body = { deleted: true, delete_insights: true }
  if (!row.deleted) await patchDashboard(tx, caller, { id: row.id, body })
  await disableNotifications(tx, caller, row.id)
}

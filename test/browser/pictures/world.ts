import { onTestFinished, vi } from 'vitest'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import {
  insertPreview,
  insertSkippedRows,
} from '#server/features/import-apps/runs/preview-store.ts'
import { eventsBetween } from '../../../apps/demo-data/events.ts'
import { createWorld, DAY, DAYS } from '../../../apps/demo-data/world.ts'
import type { NewEvent } from '../../../apps/shared/delivery.ts'
import { CONFIGS, type TestApp } from '../../support/app/app.ts'
import { createDashboard } from '../../support/data/dashboards.ts'
import { createInsight } from '../../support/data/insights.ts'
import { queueJob } from '../../support/data/runs.ts'

/** A Monday at noon. */
export const NOW = Date.parse('2026-03-02T12:00:00Z')
const EVENTS = 20_000

/** Stops the clock of the server, which runs in this process. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  vi.spyOn(Temporal.Now, 'instant').mockReturnValue(Temporal.Instant.fromEpochMilliseconds(NOW))
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}

/** Paths of pages, by name. */
type Paths = Readonly<Record<string, string>>

export interface PictureWorld {
  /** The pages that are compared with their last pictures. */
  readonly compared: Paths
  /** Further pages that the documentation shows. */
  readonly shown: Paths
}

/** Fills project 1 with demo data and returns the pages to look at. */
export async function createPictureWorld(api: TestApp): Promise<PictureWorld> {
  await addDemoEvents(api)
  const dashboard = await createDashboard(api, { use_template: 'Product analytics' })
  await createDashboard(api, { use_template: 'Website traffic' })
  await createDashboard(api, { use_template: 'SaaS metrics' })
  const trends = await createInsight(api, { name: 'Sign-ups by browser', query: TRENDS })
  const sql = await createInsight(api, { name: 'Pages by views', query: SQL })
  await api.get(`dashboards/${dashboard.id}?refresh=blocking`)
  const sharing = `dashboards/${dashboard.id}/sharing`
  const { body } = await api.patch(sharing, { enabled: true })
  await addAlert(api, trends.id)
  const project = `/project/${api.projectId}`
  const compared = {
    'sign-in': '/sign-in',
    dashboards: `${project}/dashboards`,
    dashboard: `${project}/dashboards/${dashboard.id}`,
    insight: `${project}/insights/${trends.short_id}`,
    sql: `${project}/insights/${sql.short_id}`,
    events: `${project}/events`,
    persons: `${project}/persons`,
    'test-run': `${project}/apps/${await addTestRun(api)}?tab=runs`,
    shared: `/shared/${body.access_token}`,
    docs: '/docs/queries',
  }
  const shown = { alerts: `${project}/alerts`, source: `${project}/apps/source` }
  return { compared, shown }
}

async function addDemoEvents(api: TestApp): Promise<void> {
  const world = createWorld('hedgerow', EVENTS, Math.floor(NOW / DAY))
  for (let day = 0; day <= DAYS; day += 1) {
    const events = [...eventsBetween(world, day, 0, NOW)].map(toStored)
    await api.services.events.append(api.projectId, events)
  }
}

const toStored = ({ uuid, event, distinct_id, timestamp, properties }: NewEvent) => ({
  uuid,
  event,
  distinct_id,
  timestamp: timestamp ?? new Date(NOW).toISOString(),
  properties: toPropertiesText({ ...properties, distinct_id }),
})

const addAlert = (api: TestApp, insight: number) =>
  api.post('alerts', {
    insight,
    name: 'Few visitors',
    condition: { type: 'absolute_value' },
    threshold: { configuration: { type: 'absolute', bounds: { lower: 100 } } },
    targets: [{ type: 'webhook', url: 'https://example.com/hook' }],
  })

const TRENDS = {
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ event: '$pageview', math: 'dau' }],
    dateRange: { date_from: '-30d' },
    breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
  },
}

const SQL = {
  kind: 'DataVisualizationNode',
  source: {
    kind: 'HogQLQuery',
    query: `select properties.$pathname as page, count() as views, uniq(person_id) as people
from events
where event = '$pageview' and {filters}
group by page
order by views desc
limit 10`,
  },
}

const ORDERS = [
  ['ada@example.com', 42.5, 'GB'],
  ['grace@example.com', 17, 'US'],
  ['linus@example.com', 99.95, 'FI'],
] as const

/** Adds a config of the CSV app with a finished test run, and returns its ID. */
async function addTestRun(api: TestApp): Promise<number> {
  const config = { event: 'order paid', distinct_id_column: 'customer', timestamp_column: 'when' }
  const { body } = await api.post(CONFIGS, { plugin: 2, name: 'Orders', enabled: false })
  await api.patch(`${CONFIGS}/${body.id}/settings`, { settings: config })
  const run = await queueJob(api, body.id, {
    project_id: api.projectId,
    plugin_id: 2,
    name: 'Import now',
    dry_run: 1,
    created_by: 1,
  })
  const at = new Date(NOW - 60_000).toISOString()
  await api.db
    .updateTable('runs')
    .set({ state: 'succeeded', events: 3, skipped: 1, created_at: at, started_at: at })
    .set({ finished_at: new Date(NOW - 58_800).toISOString() })
    .where('id', '=', run.id)
    .execute()
  const events = ORDERS.map(([customer, amount, country], index) => ({
    event: 'order paid',
    distinct_id: customer,
    timestamp: new Date(NOW - (index + 1) * DAY).toISOString(),
    properties: { amount, country },
  }))
  await insertPreview(api.db, run.id, events)
  const reason = 'Line 5: "yesterday" in "when" is not a date.'
  const content = 'alan@example.com,yesterday,12,GB'
  await insertSkippedRows(api.db, run.id, 0, [{ reason, content }])
  return body.id
}

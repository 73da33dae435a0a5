import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { startApp, type TestApp, useApp } from '../app/app.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'
import { until } from '../until.ts'
import { createInsight, insightPath } from './insights.ts'

export const ALERTS = 'alerts'
export const SUBSCRIPTIONS = 'subscriptions'

/** Counts the orders of the last week, as one value. */
export const COUNT_ORDERS = {
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'order' }],
    dateRange: { date_from: '-7d' },
    trendsFilter: { display: 'BoldNumber' },
  },
}

/** A threshold that fires above `upper`. */
export const above = (upper: number) => ({
  condition: { type: 'absolute_value' },
  threshold: { configuration: { type: 'absolute', bounds: { upper } } },
})

export interface AlertApp extends TestApp {
  readonly receiver: Receiver
  readonly insight: { readonly id: number; readonly short_id: string }
  /** Creates an alert on the insight that fires above 2 orders and notifies the receiver. */
  createAlert(body?: object): Promise<CreatedAlert>
  order(count: number): Promise<void>
  /** Refreshes the insight and waits until the alert was checked after that. */
  refresh(alert: string): Promise<CreatedAlert>
}

// biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the alert
export type CreatedAlert = any

/** Starts the service with egress to this machine, an insight and a webhook receiver, without a worker. */
export async function startAlertApp(env: Record<string, string> = {}): Promise<AlertApp> {
  const api = await startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1', ...env })
  const receiver = await startReceiver()
  const insight = await createComputedInsight(api)
  await api.services.alerts.close()
  return {
    ...api,
    receiver,
    insight,
    createAlert: (body) => createAlert(api, insight.id, `${receiver.url}/hook`, body),
    async order(count) {
      const timestamp = new Date().toISOString()
      const events = Array.from({ length: count }, () => ({
        ...{ uuid: randomUUID(), event: 'order', distinct_id: 'ada', timestamp, properties: '{}' },
      }))
      await api.services.events.append(api.projectId, events)
    },
    async refresh(alert) {
      const asked = now()
      await api.get(insightPath(insight.id, '?refresh=force_blocking'))
      // a worker may check the alert in between, with the previous result
      await until(async () => (await selectAlert(api.db, alert)).measured_at >= asked)
      return (await api.get(`${ALERTS}/${alert}`)).body
    },
  }
}

/** Creates an insight and an alert on it in a fresh project of the shared app, where nothing is sent. */
export async function useAlert(): Promise<TestApp & Pick<AlertApp, 'insight'> & { alert: string }> {
  const api = await useApp()
  const insight = await createComputedInsight(api)
  const { id } = await createAlert(api, insight.id, 'https://hooks.example.com/hook')
  return { ...api, insight, alert: id }
}

/** Computes the insight now; otherwise the server would compute it and check its alerts at any time. */
async function createComputedInsight(api: TestApp): Promise<AlertApp['insight']> {
  const insight = await createInsight(api, { name: 'Orders', query: COUNT_ORDERS })
  await api.get(insightPath(insight.id, '?refresh=blocking'))
  return insight
}

async function createAlert(
  api: TestApp,
  insight: number,
  url: string,
  body?: object,
): Promise<CreatedAlert> {
  const targets = [{ type: 'webhook', url }]
  const response = await api.post(ALERTS, {
    ...{ insight, name: 'Many orders', targets },
    ...above(2),
    ...body,
  })
  if (response.status !== 201) throw new Error(`No alert was created: ${response.text}`)
  return response.body
}

const selectAlert = (db: Db, uuid: string) =>
  db.selectFrom('alerts').select('measured_at').where('uuid', '=', uuid).executeTakeFirstOrThrow()

import { describe, expect, it } from 'vitest'
import { DASHBOARDS } from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import {
  type AlertApp,
  SUBSCRIPTIONS,
  startAlertApp,
} from '../../../../test/support/data/alerts.ts'
import { insightPath } from '../../../../test/support/data/insights.ts'
import { isSigned } from '../../../../test/support/servers/receiver.ts'
import { until } from '../../../../test/support/until.ts'

async function subscribe(api: AlertApp, body: object = {}) {
  const target = { target_type: 'webhook', target_value: `${api.receiver.url}/weekly` }
  const what = { insight: api.insight.id, frequency: 'weekly', hour: 7, title: 'Orders' }
  const response = await api.post(SUBSCRIPTIONS, { ...what, ...target, ...body })
  if (response.status !== 201) throw new Error(`The subscription was not created: ${response.text}`)
  return response.body
}

const PAST = '2020-01-01T00:00:00.000Z'

const makeDue = (api: AlertApp) =>
  api.db.updateTable('subscriptions').set({ next_delivery_date: PAST }).execute()

describe('subscriptions', () => {
  it('are created, read back without their secret, and listed', async () => {
    const api = await startAlertApp()

    const { signing_secret, ...created } = await subscribe(api)

    expect(signing_secret).toMatch(/^whsec_\w{43}$/)
    expect(created).toMatchObject({ insight: api.insight.id, dashboard: null, enabled: true })
    expect(created.next_delivery_date).toMatch(/T07:00:00\.000Z$/)
    expect(new Date(created.next_delivery_date).getUTCDay()).toBe(1)
    expect((await api.get(`${SUBSCRIPTIONS}/${created.id}`)).body).toEqual(created)
    expect((await api.get(`${SUBSCRIPTIONS}?insight=${api.insight.id}`)).body.results).toEqual([
      created,
    ])
    expect((await api.get(`${SUBSCRIPTIONS}?dashboard=1`)).body.results).toEqual([])
  })

  it('show the name of their dashboard or insight', async () => {
    const api = await startAlertApp()
    const { body: shop } = await api.post(DASHBOARDS, { name: 'Shop' })
    await subscribe(api)
    await subscribe(api, { insight: null, dashboard: shop.id })
    await api.patch(`${DASHBOARDS}/${shop.id}`, { name: 'Our shop' })

    const { body } = await api.get(SUBSCRIPTIONS)

    expect(body.results).toMatchObject([
      { dashboard: shop.id, resource_name: 'Our shop' },
      { insight: api.insight.id, resource_name: 'Orders' },
    ])
  })

  it('change only the given fields, reschedule, and log the change', async () => {
    const api = await startAlertApp()
    const { signing_secret: _, ...before } = await subscribe(api)

    const { body } = await api.patch(`${SUBSCRIPTIONS}/${before.id}`, { hour: 22, title: 'Late' })

    expect(body).toEqual({
      ...before,
      ...{ hour: 22, title: 'Late', next_delivery_date: expect.stringMatching(/T22:00:00\.000Z$/) },
    })
    const { body: log } = await api.get(`${SUBSCRIPTIONS}/${before.id}/activity`)
    expect(log.results).toMatchObject([
      { activity: 'updated', detail: { changes: [{ field: 'title' }, { field: 'hour' }] } },
      { activity: 'created' },
    ])
  })

  it('are deleted', async () => {
    const api = await startAlertApp()
    const { id } = await subscribe(api)

    expect((await api.delete(`${SUBSCRIPTIONS}/${id}`)).status).toBe(204)

    expect((await api.get(`${SUBSCRIPTIONS}/${id}`)).status).toBe(404)
  })

  it('are not found in another project', async () => {
    const api = await startAlertApp()
    const { id } = await subscribe(api)
    const elsewhere = `/api/projects/${await api.createProject()}/subscriptions`

    expect((await api.get(elsewhere)).body.count).toBe(0)
    expect((await api.get(`${elsewhere}/${id}`)).status).toBe(404)
    expect((await api.patch(`${elsewhere}/${id}`, { title: 'x' })).status).toBe(404)
    expect((await api.post(`${elsewhere}/${id}/test`)).status).toBe(404)
    expect((await api.delete(`${elsewhere}/${id}`)).status).toBe(404)
  })

  it.each([
    ['without an insight or dashboard', { insight: undefined }, 'insight'],
    ['with both an insight and a dashboard', { dashboard: 1 }, 'insight'],
    ['of an unknown insight', { insight: 987654 }, 'insight'],
    ['of an unknown dashboard', { insight: null, dashboard: 987654 }, 'dashboard'],
    ['at hour 24', { hour: 24 }, 'hour'],
    ['with an unknown frequency', { frequency: 'sometimes' }, 'frequency'],
    ['to a private address', { target_value: 'http://192.168.0.1/' }, 'target_value'],
    [
      'by e-mail although the server has none',
      { target_type: 'email', target_value: 'a@b.c' },
      'target_type',
    ],
  ])('are rejected %s', async (_, body, attr) => {
    const api = await startAlertApp()
    const target = { target_type: 'webhook', target_value: 'https://example.com' }
    const complete = { insight: api.insight.id, frequency: 'daily', ...target, ...body }

    expect(await api.post(SUBSCRIPTIONS, complete)).toMatchObject({ status: 400, body: { attr } })
    expect((await api.get(SUBSCRIPTIONS)).body.count).toBe(0)
  })
})

describe('due subscriptions', () => {
  it('send their insight once, by one of two workers', async () => {
    const api = await startAlertApp()
    await api.order(3)
    const { id, signing_secret } = await subscribe(api)
    await makeDue(api)

    startTestWorker(api)
    startTestWorker(api)

    const [received] = await api.receiver.waitFor(1)
    expect(received).toMatchObject({
      path: '/weekly',
      headers: { 'x-hedgerow-event': 'subscription' },
      body: {
        event: 'subscription',
        subscription: { id, title: 'Orders' },
        dashboard: null,
        insights: [
          { id: api.insight.id, name: 'Orders', results: [{ aggregated_value: 3 }], error: null },
        ],
      },
    })
    expect(received && isSigned(received, signing_secret)).toBe(true)
    const { body } = await api.get(`${SUBSCRIPTIONS}/${id}`)
    expect(Date.parse(body.next_delivery_date)).toBeGreaterThan(Date.now())
    const { body: log } = await api.get(`${SUBSCRIPTIONS}/${id}/deliveries`)
    expect(log).toMatchObject({ count: 1, results: [{ event: 'subscription' }] })
  })

  it('send the tiles with the filters of the dashboard', async () => {
    const api = await startAlertApp()
    await api.order(2)
    const tiles = [{ text: { body: 'Hello' } }, { insight: { id: api.insight.id } }]
    const filters = { date_from: '2020-01-01', date_to: '2020-01-02' }
    const { body: dashboard } = await api.post(DASHBOARDS, { name: 'Shop', tiles, filters })
    await subscribe(api, { insight: null, dashboard: dashboard.id })
    await makeDue(api)

    startTestWorker(api)

    const [received] = await api.receiver.waitFor(1)
    expect(received?.body).toMatchObject({
      dashboard: { id: dashboard.id, name: 'Shop' },
      insights: [{ id: api.insight.id, results: [{ aggregated_value: 0 }] }],
      url: `${api.url}/project/1/dashboard/${dashboard.id}`,
    })
  })

  it.each([
    [
      'is disabled',
      (api: AlertApp, id: number) => api.patch(`${SUBSCRIPTIONS}/${id}`, { enabled: false }),
    ],
    [
      'has its insight in the trash',
      (api: AlertApp) => api.patch(insightPath(api.insight.id), { deleted: true }),
    ],
  ])('send nothing when the subscription %s', async (_, change) => {
    const api = await startAlertApp()
    const { id } = await subscribe(api)
    const other = await subscribe(api, { target_value: `${api.receiver.url}/other` })
    await change(api, id)
    await makeDue(api)

    startTestWorker(api)

    const isSent = async () => {
      const { body } = await api.get(`${SUBSCRIPTIONS}/${other.id}`)
      return body.next_delivery_date !== PAST
    }
    await until(isSent)
    expect((await api.get(`${SUBSCRIPTIONS}/${id}/deliveries`)).body.count).toBe(0)
  })

  it('are taken over when their worker died', async () => {
    const api = await startAlertApp()
    await subscribe(api)
    await makeDue(api)
    await api.db.updateTable('subscriptions').set({ claimed_until: PAST }).execute()

    startTestWorker(api)

    expect(await api.receiver.waitFor(1)).toHaveLength(1)
  })

  it('send cached results as a test', async () => {
    const api = await startAlertApp()
    const { id } = await subscribe(api)
    await api.order(3)

    const { body } = await api.post(`${SUBSCRIPTIONS}/${id}/test`)

    expect(body).toMatchObject([{ event: 'test', state: 'queued' }])
    startTestWorker(api)
    const [received] = await api.receiver.waitFor(1)
    expect(received?.body).toMatchObject({
      event: 'test',
      insights: [{ results: [{ aggregated_value: 0 }] }],
    })
  })
})

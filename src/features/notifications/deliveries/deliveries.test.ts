import { describe, expect, it } from 'vitest'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { ALERTS, type AlertApp, startAlertApp } from '../../../../test/support/data/alerts.ts'
import { isSigned } from '../../../../test/support/servers/receiver.ts'
import { until } from '../../../../test/support/until.ts'
import { RETRY_DELAYS_S } from './deliverer.ts'
import { claimDelivery } from './store.ts'

const listDeliveries = async (api: AlertApp, alert: string) =>
  (await api.get(`${ALERTS}/${alert}/deliveries`)).body.results

/** Waits until the only delivery has settled after this attempt. */
const waitForAttempt = (api: AlertApp, alert: string, attempt: number) =>
  until(async () => {
    const [delivery] = await listDeliveries(api, alert)
    const isSettled = delivery.error !== '' || delivery.delivered_at !== null
    return delivery.attempt === attempt && isSettled && delivery
  })

const PAST = '2020-01-01T00:00:00.000Z'

const makeDue = (api: AlertApp) =>
  api.db.updateTable('deliveries').set({ next_attempt_at: PAST }).execute()

/** Queues a test of an alert; no worker runs yet. */
async function startWithTest(url?: string, env?: Record<string, string>) {
  const api = await startAlertApp(env)
  const targets = url === undefined ? {} : { targets: [{ type: 'webhook', url }] }
  const alert = await api.createAlert(targets)
  const { body } = await api.post(`${ALERTS}/${alert.id}/test`)
  return { api, alert, delivery: body[0] }
}

describe('deliveries', () => {
  it('queues a delivery that a worker sends', async () => {
    const { api, alert, delivery } = await startWithTest()
    expect(delivery).toMatchObject({
      event: 'test',
      target: { type: 'webhook', url: `${api.receiver.url}/hook` },
      state: 'queued',
      attempt: 0,
      delivered_at: null,
    })

    startTestWorker(api)

    const [received] = await api.receiver.waitFor(1)
    expect(received?.headers).toMatchObject({
      'x-hedgerow-event': 'test',
      'x-hedgerow-delivery': delivery.id,
    })
    expect(received && isSigned(received, alert.signing_secret)).toBe(true)
    expect(received && isSigned(received, 'another')).toBe(false)
  })

  it('retries with growing delays and the same body, then fails', async () => {
    const { api, alert } = await startWithTest()
    api.receiver.answer(503)
    let before = Date.now()
    startTestWorker(api)

    for (const [index, wait] of RETRY_DELAYS_S.entries()) {
      const delivery = await waitForAttempt(api, alert.id, index + 1)
      expect(delivery).toMatchObject({
        state: 'queued',
        response_status: 503,
        error: 'The webhook responded with 503.',
      })
      const next = Date.parse(delivery.next_attempt_at)
      expect(next).toBeGreaterThanOrEqual(before + wait * 1000)
      expect(next).toBeLessThanOrEqual(Date.now() + wait * 1000)
      before = Date.now()
      await makeDue(api)
    }

    expect(RETRY_DELAYS_S).toEqual([30, 120, 600, 3600, 21_600])
    expect(await waitForAttempt(api, alert.id, 6)).toMatchObject({
      state: 'failed',
      next_attempt_at: null,
    })
    const bodies = api.receiver.received.map(({ text }) => text)
    expect(bodies).toEqual(Array(6).fill(bodies[0]))
  })

  it('retries on request unless it was delivered', async () => {
    const { api, alert, delivery } = await startWithTest()
    const retry = `${ALERTS}/${alert.id}/deliveries/${delivery.id}/retry`
    expect((await api.post(retry)).status).toBe(409)
    api.receiver.answer(500)
    startTestWorker(api)
    await waitForAttempt(api, alert.id, 1)
    api.receiver.answer(204)

    expect(await api.post(retry)).toMatchObject({ status: 200, body: { state: 'queued' } })

    expect(await waitForAttempt(api, alert.id, 2)).toMatchObject({
      state: 'delivered',
      response_status: 204,
      error: '',
    })
    expect(await api.post(retry)).toMatchObject({
      status: 409,
      body: { detail: 'It has already been delivered.' },
    })
  })

  it('starts over when a failed delivery is retried on request', async () => {
    const { api, alert, delivery } = await startWithTest()
    await api.db
      .updateTable('deliveries')
      .set({ state: 'failed', attempt: 6, error: 'x' })
      .execute()

    const { body } = await api.post(`${ALERTS}/${alert.id}/deliveries/${delivery.id}/retry`)

    expect(body).toMatchObject({ state: 'queued', attempt: 0, error: '' })
  })

  it('sends a delivery whose worker died', async () => {
    const { api, alert } = await startWithTest()
    expect((await claimDelivery(api.db))?.attempt).toBe(1)
    expect(await claimDelivery(api.db)).toBeUndefined()
    await makeDue(api) // as if the lease had ended

    startTestWorker(api)

    expect(await waitForAttempt(api, alert.id, 2)).toMatchObject({ state: 'delivered' })
    expect(api.receiver.received).toHaveLength(1)
  })

  it('fails a delivery whose worker died at every attempt', async () => {
    const { api, alert } = await startWithTest()
    await api.db.updateTable('deliveries').set({ attempt: 6 }).execute()

    startTestWorker(api)

    expect(await waitForAttempt(api, alert.id, 7)).toMatchObject({ state: 'failed' })
    expect(api.receiver.received).toEqual([])
  })

  it('does not follow redirects', async () => {
    const { api, alert } = await startWithTest()
    api.receiver.answer(302, { location: `${api.receiver.url}/elsewhere` })

    startTestWorker(api)

    expect(await waitForAttempt(api, alert.id, 1)).toMatchObject({
      state: 'queued',
      response_status: 302,
      error: 'The webhook responded with 302. Redirects are not followed.',
    })
    expect(api.receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  })

  it.each([
    ['an unknown host name', 'http://nobody.invalid/', /^The host name cannot be resolved/],
    ['a closed port', 'http://127.0.0.1:9/', /ECONNREFUSED/],
  ])('reports %s', async (_, url, error) => {
    const { api, alert } = await startWithTest(url)

    startTestWorker(api)

    const delivery = await waitForAttempt(api, alert.id, 1)
    expect(delivery).toMatchObject({ state: 'queued', response_status: null })
    expect(delivery.error).toMatch(error)
  })

  it('refuses a name that resolves to this machine, unless the operator allows it', async () => {
    const { api, alert } = await startWithTest('http://localhost:9/', { HEDGEROW_APP_HOSTS: '' })

    startTestWorker(api)

    const { error } = await waitForAttempt(api, alert.id, 1)
    expect(error).toBe('This is not a public address. HEDGEROW_APP_HOSTS can allow it.')
  })

  it('signs with the new secret after a rotation', async () => {
    const { api, alert } = await startWithTest()
    const { body } = await api.post(`${ALERTS}/${alert.id}/rotate_secret`)

    startTestWorker(api)

    const [received] = await api.receiver.waitFor(1)
    expect(received && isSigned(received, body.signing_secret)).toBe(true)
  })

  it('is not visible below another alert', async () => {
    const { api, delivery } = await startWithTest()
    const other = await api.createAlert()

    const response = await api.post(`${ALERTS}/${other.id}/deliveries/${delivery.id}/retry`)

    expect(response.status).toBe(404)
    expect(await listDeliveries(api, other.id)).toEqual([])
  })
})

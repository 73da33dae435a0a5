import { describe, expect, it } from 'vitest'
import { ALERTS, type AlertApp, startAlertApp } from '../../../../test/alerts.ts'
import { startTestWorker } from '../../../../test/import-app.ts'
import { isSigned } from '../../../../test/receiver.ts'
import { until } from '../../../../test/until.ts'
import { RETRY_DELAYS_S } from './deliverer.ts'
import { claimDelivery } from './store.ts'

const deliveriesOf = async (api: AlertApp, alert: string) =>
  (await api.get(`${ALERTS}/${alert}/deliveries`)).body.results

/** Waits until the only delivery was tried so often and is not being sent. */
const waitForAttempt = (api: AlertApp, alert: string, attempt: number) =>
  until(async () => {
    const [delivery] = await deliveriesOf(api, alert)
    const isSettled = delivery.error !== '' || delivery.delivered_at !== null
    return delivery.attempt === attempt && isSettled && delivery
  })

const PAST = '2020-01-01T00:00:00.000Z'

const makeDue = (api: AlertApp) =>
  api.db.updateTable('deliveries').set({ next_attempt_at: PAST }).execute()

/** A test of an alert, which nobody has sent yet. */
async function startWithTest(url?: string, env?: Record<string, string>) {
  const api = await startAlertApp(env)
  const targets = url === undefined ? {} : { targets: [{ type: 'webhook', url }] }
  const alert = await api.createAlert(targets)
  const { body } = await api.post(`${ALERTS}/${alert.id}/test`)
  return { api, alert, delivery: body[0] }
}

describe('a delivery', () => {
  it('is queued, and sent by whoever looks', async () => {
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

  it('is tried again after longer and longer waits, with the same body, and then given up', async () => {
    const { api, alert } = await startWithTest()
    api.receiver.answer(503)
    let before = Date.now()
    startTestWorker(api)

    for (const [index, wait] of RETRY_DELAYS_S.entries()) {
      const delivery = await waitForAttempt(api, alert.id, index + 1)
      expect(delivery).toMatchObject({
        state: 'queued',
        response_status: 503,
        error: 'It answered 503.',
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

  it('is sent once more when asked for, if it has not arrived', async () => {
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
      body: { detail: 'It has been delivered.' },
    })
  })

  it('starts from the beginning when asked for after it was given up', async () => {
    const { api, alert, delivery } = await startWithTest()
    await api.db
      .updateTable('deliveries')
      .set({ state: 'failed', attempt: 6, error: 'x' })
      .execute()

    const { body } = await api.post(`${ALERTS}/${alert.id}/deliveries/${delivery.id}/retry`)

    expect(body).toMatchObject({ state: 'queued', attempt: 0, error: '' })
  })

  it('is sent by another when whoever had taken it died', async () => {
    const { api, alert } = await startWithTest()
    expect((await claimDelivery(api.db))?.attempt).toBe(1)
    expect(await claimDelivery(api.db)).toBeUndefined()
    await makeDue(api) // as time does

    startTestWorker(api)

    expect(await waitForAttempt(api, alert.id, 2)).toMatchObject({ state: 'delivered' })
    expect(api.receiver.received).toHaveLength(1)
  })

  it('is given up when whoever takes it always dies', async () => {
    const { api, alert } = await startWithTest()
    await api.db.updateTable('deliveries').set({ attempt: 6 }).execute()

    startTestWorker(api)

    expect(await waitForAttempt(api, alert.id, 7)).toMatchObject({ state: 'failed' })
    expect(api.receiver.received).toEqual([])
  })

  it('does not go where a redirect leads', async () => {
    const { api, alert } = await startWithTest()
    api.receiver.answer(302, { location: `${api.receiver.url}/elsewhere` })

    startTestWorker(api)

    expect(await waitForAttempt(api, alert.id, 1)).toMatchObject({
      state: 'queued',
      response_status: 302,
      error: 'It answered 302. Redirects are not followed.',
    })
    expect(api.receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  })

  it.each([
    ['a name that nobody knows', 'http://nobody.invalid/', /^The host name is not known/],
    ['a closed port', 'http://127.0.0.1:9/', /ECONNREFUSED/],
  ])('to %s says what is wrong', async (_, url, error) => {
    const { api, alert } = await startWithTest(url)

    startTestWorker(api)

    const delivery = await waitForAttempt(api, alert.id, 1)
    expect(delivery).toMatchObject({ state: 'queued', response_status: null })
    expect(delivery.error).toMatch(error)
  })

  it('does not go to this machine by another name, unless the operator allows it', async () => {
    const { api, alert } = await startWithTest('http://localhost:9/', { HEDGEROW_APP_HOSTS: '' })

    startTestWorker(api)

    const { error } = await waitForAttempt(api, alert.id, 1)
    expect(error).toBe('The address is not a public one. HEDGEROW_APP_HOSTS can allow it.')
  })

  it('is signed with the new secret after it was rotated', async () => {
    const { api, alert } = await startWithTest()
    const { body } = await api.post(`${ALERTS}/${alert.id}/rotate_secret`)

    startTestWorker(api)

    const [received] = await api.receiver.waitFor(1)
    expect(received && isSigned(received, body.signing_secret)).toBe(true)
  })

  it("is not found under another alert, or in another alert's list", async () => {
    const { api, delivery } = await startWithTest()
    const other = await api.createAlert()

    const answer = await api.post(`${ALERTS}/${other.id}/deliveries/${delivery.id}/retry`)

    expect(answer.status).toBe(404)
    expect(await deliveriesOf(api, other.id)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { ALERTS, above, startAlertApp } from '../../../../test/support/data/alerts.ts'
import { isSigned } from '../../../../test/support/servers/receiver.ts'
import { until } from '../../../../test/support/until.ts'

describe('alerts', () => {
  it('notify once when they fire and once when they resolve, signed', async () => {
    const api = await startAlertApp()
    const { id, signing_secret } = await api.createAlert()
    startTestWorker(api)

    await api.order(2)
    expect(await api.refresh(id)).toMatchObject({ state: 'Not firing', last_value: 2 })
    await api.order(1)
    expect(await api.refresh(id)).toMatchObject({ state: 'Firing', last_value: 3 })
    await api.order(1)
    expect(await api.refresh(id)).toMatchObject({ state: 'Firing', last_value: 4 })
    await api.patch(`${ALERTS}/${id}`, above(10))
    await until(async () => (await api.get(`${ALERTS}/${id}`)).body.state === 'Not firing')

    const [fired, resolved, ...others] = await api.receiver.waitFor(2)
    expect(others).toEqual([])
    expect(fired).toMatchObject({
      path: '/hook',
      headers: { 'x-hedgerow-event': 'alert.firing', 'content-type': 'application/json' },
      body: {
        event: 'alert.firing',
        project_id: 1,
        alert: { id, name: 'Many orders' },
        insight: { id: api.insight.id, name: 'Orders' },
        value: 3,
        url: `${api.url}/project/1/insights/${api.insight.short_id}`,
      },
    })
    expect(resolved).toMatchObject({ body: { event: 'alert.resolved', value: 4 } })
    expect([fired, resolved].map((each) => each && isSigned(each, signing_secret))).toEqual([
      true,
      true,
    ])
    const { body } = await api.get(`${ALERTS}/${id}/deliveries`)
    expect(body).toMatchObject({
      count: 2,
      results: [
        {
          event: 'alert.resolved',
          state: 'delivered',
          id: resolved?.headers['x-hedgerow-delivery'],
        },
        { event: 'alert.firing', state: 'delivered', response_status: 200, attempt: 1, error: '' },
      ],
    })
  })

  it('are checked when due, by one of two workers', async () => {
    const api = await startAlertApp()
    await api.order(3)
    const { id } = await api.createAlert()
    const before = Date.now()

    startTestWorker(api)
    startTestWorker(api)

    await api.receiver.waitFor(1)
    const { body } = await api.get(`${ALERTS}/${id}`)
    expect(body).toMatchObject({ state: 'Firing', last_value: 3 })
    const { next_check_at } = await api.db
      .selectFrom('alerts')
      .select('next_check_at')
      .executeTakeFirstOrThrow()
    expect(Date.parse(next_check_at)).toBeGreaterThanOrEqual(before + 3_600_000)
    expect((await api.get(`${ALERTS}/${id}/deliveries`)).body.count).toBe(1)
  })

  it('notify every target', async () => {
    const api = await startAlertApp()
    await api.order(3)
    const targets = ['/a', '/b'].map((path) => ({ type: 'webhook', url: api.receiver.url + path }))
    await api.createAlert({ targets })

    startTestWorker(api)

    const received = await api.receiver.waitFor(2)
    expect(received.map(({ path }) => path).toSorted()).toEqual(['/a', '/b'])
  })
})

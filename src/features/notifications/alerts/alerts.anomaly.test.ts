import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { ALERTS, above, startAlertApp, useAlert } from '../../../../test/support/data/alerts.ts'
import { createInsight } from '../../../../test/support/data/insights.ts'
import { until } from '../../../../test/support/until.ts'

const DAY_MS = 86_400_000
const ANOMALY = { condition: { type: 'anomaly' } }
const NO_BOUNDS = { configuration: { type: 'absolute', bounds: {} } }

const ORDERS_BY_DAY = {
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'order' }],
    dateRange: { date_from: '-40d' },
  },
}

/** Ten orders on each of the days before yesterday, and some yesterday. */
const ordersUntil = (yesterday: number) =>
  Array.from({ length: 40 }, (_, index) => index + 1).flatMap((daysAgo) =>
    Array.from({ length: daysAgo === 1 ? yesterday : 10 }, () => ({
      ...{ uuid: randomUUID(), event: 'order', distinct_id: 'ada', properties: '{}' },
      timestamp: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
    })),
  )

describe('an alert on anomalies', () => {
  it.each([
    [40, 'Firing'],
    [11, 'Not firing'],
  ])('compares yesterday with the days before: %d orders are %s', async (orders, state) => {
    const api = await startAlertApp()
    await api.services.events.append(api.projectId, ordersUntil(orders))
    const { id: insight } = await createInsight(api, { name: 'By day', query: ORDERS_BY_DAY })
    const { id } = await api.createAlert({ insight, ...ANOMALY, threshold: undefined })
    startTestWorker(api)

    await until(async () => (await api.get(`${ALERTS}/${id}`)).body.last_checked_at !== null)

    const { body: checked } = await api.get(`${ALERTS}/${id}`)
    expect(checked).toMatchObject({ state, last_value: orders, last_error: null })
    const { lower, upper } = checked.usual_range
    expect(lower).toBeLessThan(10)
    expect(upper).toBeGreaterThan(10)
    if (state === 'Not firing') return
    const [fired] = await api.receiver.waitFor(1)
    expect(fired?.body).toMatchObject({ value: 40, usual_range: { lower, upper } })
  })

  it('says when too little is known', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert({ ...ANOMALY, threshold: undefined })

    expect(await api.refresh(id)).toMatchObject({
      state: 'Errored',
      last_error: expect.stringContaining('8 complete intervals'),
    })
  })

  it('needs no threshold, and gets one with another condition', async () => {
    const { alert, ...api } = await useAlert()

    const anomaly = { type: 'anomaly', sensitivity: 'high' }
    const changed = await api.patch(`${ALERTS}/${alert}`, { condition: anomaly })
    const unbound = await api.patch(`${ALERTS}/${alert}`, {
      condition: { type: 'absolute_value' },
    })
    const back = await api.patch(`${ALERTS}/${alert}`, above(3))

    expect(changed).toMatchObject({ status: 200 })
    expect(changed.body).toMatchObject({ condition: anomaly, threshold: NO_BOUNDS })
    expect(unbound).toMatchObject({
      status: 400,
      body: { attr: 'threshold__configuration__bounds' },
    })
    expect(back.body).toMatchObject(above(3))
  })

  it.each([
    ['bounds', { ...above(3), ...ANOMALY }, 'threshold__configuration__bounds'],
    [
      'the current interval',
      { ...ANOMALY, config: { check_ongoing_interval: true } },
      'config__check_ongoing_interval',
    ],
    [
      'an unknown sensitivity',
      { condition: { type: 'anomaly', sensitivity: 'extreme' } },
      'condition__sensitivity',
    ],
    [
      'a sensitivity of another condition',
      { condition: { type: 'absolute_value', sensitivity: 'high' } },
      'condition__sensitivity',
    ],
  ])('is refused with %s', async (_, body, attr) => {
    const { alert, ...api } = await useAlert()

    expect(await api.patch(`${ALERTS}/${alert}`, body)).toMatchObject({
      status: 400,
      body: { attr },
    })
  })
})

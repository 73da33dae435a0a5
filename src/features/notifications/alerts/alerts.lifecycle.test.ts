import { describe, expect, it } from 'vitest'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import {
  ALERTS,
  type AlertApp,
  above,
  startAlertApp,
} from '../../../../test/support/data/alerts.ts'
import { insightPath } from '../../../../test/support/data/insights.ts'
import { addEvents, doing } from '../../../../test/support/data/persons.ts'
import { until } from '../../../../test/support/until.ts'
import { listActiveAlerts } from './store.ts'

const FUTURE = '2999-01-01T00:00:00.000Z'
const PAST = '2020-01-01T00:00:00.000Z'

const listEvents = async (api: AlertApp, id: string) =>
  (await api.get(`${ALERTS}/${id}/deliveries`)).body.results
    .map(({ event }: { event: string }) => event)
    .reverse()

/** Creates an alert that fires and has sent its notification. */
async function startFiring() {
  const api = await startAlertApp()
  const { id } = await api.createAlert()
  await api.order(3)
  expect(await api.refresh(id)).toMatchObject({ state: 'Firing' })
  return { api, id, path: `${ALERTS}/${id}` }
}

describe('snoozed alerts', () => {
  it('are not checked, and notify again if they still fire after the snooze', async () => {
    const { api, id, path } = await startFiring()
    const { body } = await api.patch(path, { snoozed_until: '2999-01-01T01:00:00+01:00' })
    expect(body).toMatchObject({ state: 'Snoozed', snoozed_until: FUTURE })
    await api.get(insightPath(api.insight.id, '?refresh=force_blocking'))
    expect(await listActiveAlerts(api.db, 1, [api.insight.id])).toEqual([])
    await api.db.updateTable('alerts').set({ snoozed_until: PAST, next_check_at: PAST }).execute()

    startTestWorker(api)

    await api.receiver.waitFor(2)
    expect(await listEvents(api, id)).toEqual(['alert.firing', 'alert.firing'])
    expect((await api.get(path)).body).toMatchObject({ state: 'Firing', snoozed_until: null })
  })

  it('return to their previous state when the snooze is cleared', async () => {
    const { api, id, path } = await startFiring()
    await api.patch(path, { snoozed_until: FUTURE })

    const { body } = await api.patch(path, { snoozed_until: null })

    expect(body).toMatchObject({ state: 'Firing', snoozed_until: null })
    await api.refresh(id)
    expect(await listEvents(api, id)).toEqual(['alert.firing'])
  })
})

describe('alert life cycle', () => {
  it('reports a failed check without firing or resolving', async () => {
    const { api, id } = await startFiring()
    const broken = { kind: 'HogQLQuery', query: "select 'many'" }
    const { body: insight } = await api.get(insightPath(api.insight.id))
    await api.patch(insightPath(api.insight.id), { query: broken })

    const errored = await api.refresh(id)
    await api.patch(insightPath(api.insight.id), { query: insight.query })
    const again = await api.refresh(id)

    expect(errored).toMatchObject({
      state: 'Errored',
      last_value: 3,
      last_error: 'The first cell of the first row is not a number.',
    })
    expect(again).toMatchObject({ state: 'Firing', last_error: null })
    expect(await listEvents(api, id)).toEqual(['alert.firing'])
  })

  it('stops firing when disabled, and fires again when enabled', async () => {
    const { api, id, path } = await startFiring()

    const { body } = await api.patch(path, { enabled: false })
    await api.get(insightPath(api.insight.id, '?refresh=force_blocking'))
    expect(await listActiveAlerts(api.db, 1, [api.insight.id])).toEqual([])
    await api.patch(path, { enabled: true })
    await api.refresh(id)

    expect(body).toMatchObject({ state: 'Not firing' })
    expect(await listEvents(api, id)).toEqual(['alert.firing', 'alert.firing'])
  })

  it('is due at once when its check changes', async () => {
    const { api, path } = await startFiring()
    startTestWorker(api)

    await api.patch(path, above(5))

    await until(async () => (await api.get(path)).body.state === 'Not firing')
  })

  it('is not checked while its insight is in the trash', async () => {
    const { api, id } = await startFiring()

    await api.patch(insightPath(api.insight.id), { deleted: true })

    expect(await listActiveAlerts(api.db, 1, [api.insight.id])).toEqual([])
    expect(await listEvents(api, id)).toEqual(['alert.firing'])
  })

  it('logs firing and resolving', async () => {
    const { api, id, path } = await startFiring()
    await api.patch(path, above(5))
    await api.refresh(id)

    const { body } = await api.get(`${path}/activity`)

    expect(body.results).toMatchObject([
      { activity: 'resolved', user: { first_name: 'System' } },
      { activity: 'updated' },
      { activity: 'fired', user: { first_name: 'System' } },
      { activity: 'created' },
    ])
  })

  it('compares a day with the previous one', async () => {
    const api = await startAlertApp()
    const source = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'order' }] }
    const query = { ...source, interval: 'day', dateRange: { date_from: '-7d' } }
    await api.patch(insightPath(api.insight.id), { query })
    const condition = { type: 'relative_increase' }
    const { id } = await api.createAlert({
      ...{ ...above(2), condition, config: { check_ongoing_interval: true } },
    })
    await api.order(3)

    expect(await api.refresh(id)).toMatchObject({ state: 'Firing', last_value: 3 })

    const [{ payload }] = (await api.db.selectFrom('deliveries').select('payload').execute()) as [
      { payload: string },
    ]
    expect(JSON.parse(payload)).toMatchObject({ value: 3, previous_value: 0 })
  })

  it('compares visitors with those of the previous period', { tags: 'sql' }, async () => {
    const api = await startAlertApp()
    const days = { dateRange: { date_from: '-7d' }, compareFilter: { compare: true } }
    await api.patch(insightPath(api.insight.id), { query: { kind: 'WebOverviewQuery', ...days } })
    const { id } = await api.createAlert({
      ...{ ...above(2), condition: { type: 'relative_increase' } },
    })
    const seen = { event: '$pageview', timestamp: new Date().toISOString() }
    await addEvents(api, doing('ada', seen), doing('bob', seen), doing('cy', seen))

    expect(await api.refresh(id)).toMatchObject({ state: 'Firing', last_value: 3 })

    await api.patch(insightPath(api.insight.id), { query: { kind: 'WebOverviewQuery' } })
    expect(await api.refresh(id)).toMatchObject({
      state: 'Errored',
      last_error: 'The insight has no previous value to compare with.',
    })
  })
})

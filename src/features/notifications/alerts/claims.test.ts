import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '#server/db/schema.ts'
import {
  ALERTS,
  type AlertApp,
  SUBSCRIPTIONS,
  startAlertApp,
} from '../../../../test/support/data/alerts.ts'
import { insightPath } from '../../../../test/support/data/insights.ts'
import { claimDelivery, type DeliveryRow, settleDelivery } from '../deliveries/store.ts'
import {
  claimSubscription,
  type SubscriptionRow,
  scheduleNextDelivery,
} from '../subscriptions/store.ts'
import { claimAlert } from './store.ts'

const PAST = '2020-01-01T00:00:00.000Z'
const FUTURE = '2999-01-01T00:00:00.000Z'

/** Refreshes the insight, and waits until its alerts have been checked. */
async function refresh(api: AlertApp): Promise<void> {
  await api.get(insightPath(api.insight.id, '?refresh=force_blocking'))
  await api.services.alerts.close()
}

describe('due alerts', { tags: 'sql' }, () => {
  it('are claimed once until the lease ends', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()

    const claims = [await claimAlert(api.db), await claimAlert(api.db)]
    await api.db.updateTable('alerts').set({ next_check_at: PAST }).execute()
    const again = await claimAlert(api.db)

    expect(claims.map((claim) => claim?.uuid)).toEqual([id, undefined])
    expect(again?.uuid).toBe(id)
  })

  it.each([
    ['is disabled', (api: AlertApp, path: string) => api.patch(path, { enabled: false })],
    ['is snoozed', (api: AlertApp, path: string) => api.patch(path, { snoozed_until: FUTURE })],
    [
      'has its insight in the trash',
      (api: AlertApp) => api.patch(insightPath(api.insight.id), { deleted: true }),
    ],
  ])('are not claimed when the alert %s', async (_, change) => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    await change(api, `${ALERTS}/${id}`)
    await api.db.updateTable('alerts').set({ next_check_at: PAST }).execute()

    expect(await claimAlert(api.db)).toBeUndefined()
  })
})

describe('alert checks', { tags: 'sql' }, () => {
  it('ignore a result that is older than the last one checked', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    await api.order(3)
    await api.db.updateTable('alerts').set({ measured_at: FUTURE }).execute()

    await refresh(api)

    expect((await api.get(`${ALERTS}/${id}`)).body).toMatchObject({
      state: 'Not firing',
      last_checked_at: null,
    })
  })

  it('accept the same result again after the alert was changed', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    await api.order(3)
    await api.db.updateTable('alerts').set({ measured_at: FUTURE }).execute()
    await api.patch(`${ALERTS}/${id}`, { config: { series_index: 0 } })

    await refresh(api)

    expect((await api.get(`${ALERTS}/${id}`)).body.state).toBe('Firing')
  })

  it('notify once if the same result is checked twice at once', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    await api.order(3)

    await Promise.all([refresh(api), refresh(api), api.services.alerts.checkDue(() => false)])

    expect((await api.get(`${ALERTS}/${id}/deliveries`)).body.count).toBe(1)
  })
})

describe('deliveries claimed twice', { tags: 'sql' }, () => {
  it('keep the outcome of the later attempt', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert()
    await api.post(`${ALERTS}/${id}/test`)
    const first = (await claimDelivery(api.db)) as DeliveryRow
    await api.db.updateTable('deliveries').set({ next_attempt_at: PAST }).execute()
    const second = (await claimDelivery(api.db)) as DeliveryRow

    await settleDelivery(api.db, first, { state: 'failed', response_status: 500, error: 'No.' })
    await settleDelivery(api.db, second, { state: 'delivered', response_status: 200, error: '' })
    await settleDelivery(api.db, second, { state: 'failed', response_status: 500, error: 'No.' })

    const { body } = await api.get(`${ALERTS}/${id}/deliveries`)
    expect(body.results).toMatchObject([{ state: 'delivered', attempt: 2, response_status: 200 }])
  })
})

async function createDueSubscription(api: AlertApp): Promise<void> {
  const target = { target_type: 'webhook', target_value: api.receiver.url }
  await api.post(SUBSCRIPTIONS, { insight: api.insight.id, frequency: 'daily', ...target })
  await api.db.updateTable('subscriptions').set({ next_delivery_date: PAST }).execute()
}

describe('due subscriptions', { tags: 'sql' }, () => {
  it('are claimed once and rescheduled once', async () => {
    const api = await startAlertApp()
    await createDueSubscription(api)

    const row = (await claimSubscription(api.db)) as SubscriptionRow
    const other = await claimSubscription(api.db)
    const move = () => api.db.transaction().execute((tx) => scheduleNextDelivery(tx, row, FUTURE))
    const moves = [await move(), await move()]

    expect(other).toBeUndefined()
    expect(moves).toEqual([true, false])
  })
})

/** Claims in two overlapping transactions. The second fails if it waits for the first. */
const claimInTwo = (db: Db, claim: (db: Db) => Promise<unknown>): Promise<unknown[]> =>
  db.transaction().execute(async (first) => {
    const claimed = await claim(first)
    const second = db.transaction().execute(async (tx) => {
      await sql.raw("set local lock_timeout = '5s'").execute(tx)
      return claim(tx)
    })
    return [claimed, await second]
  })

describe.runIf(process.env.TEST_DATABASE === 'postgres')(
  'two workers at once',
  { tags: 'sql' },
  () => {
    it.each([
      ['alert', claimAlert],
      ['delivery', claimDelivery],
      ['subscription', claimSubscription],
    ])('do not claim the same %s', async (_, claim) => {
      const api = await startAlertApp()
      const { id } = await api.createAlert()
      await api.post(`${ALERTS}/${id}/test`)
      await createDueSubscription(api)

      const claims = await claimInTwo(api.db, claim)

      expect(claims).toEqual([expect.objectContaining({ id: expect.anything() }), undefined])
    })
  },
)

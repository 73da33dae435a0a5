import { describe, expect, it, onTestFinished } from 'vitest'
import { ALERTS, type AlertApp, startAlertApp } from '../../../../test/support/data/alerts.ts'
import { createAlertChecker } from './checker.ts'

// in the future, so that the alert is not due again at once
const SATURDAY = '2100-01-02T12:00:00Z'
const TUESDAY = '2100-01-05T12:00:00Z'

/** Checks the alerts that are due, as a worker does, at a given time. */
async function checkDueAt(api: AlertApp, time: string): Promise<void> {
  const { results, wakeUps } = api.services
  const clock = () => Temporal.Instant.from(time)
  const warn = (message: string) => {
    throw new Error(message)
  }
  const checker = createAlertChecker({ db: api.db, results, wakeUps, warn, clock })
  onTestFinished(() => checker.close()) // it also checks alerts whose insight is computed
  await checker.checkDue(() => false)
}

const nextCheck = ({ db }: AlertApp) =>
  db.selectFrom('alerts').select('next_check_at').executeTakeFirstOrThrow()

describe('an alert with skip_weekend', () => {
  it('is not checked before Monday', async () => {
    const api = await startAlertApp()
    await api.patch('', { timezone: 'America/New_York' })
    await api.order(3)
    const { id } = await api.createAlert({ skip_weekend: true })

    await checkDueAt(api, SATURDAY)

    const { body } = await api.get(`${ALERTS}/${id}`)
    expect(body).toMatchObject({ skip_weekend: true, last_checked_at: null, state: 'Not firing' })
    expect(await nextCheck(api)).toEqual({ next_check_at: '2100-01-04T05:00:00.000Z' })
    expect((await api.get(`${ALERTS}/${id}/deliveries`)).body.count).toBe(0)
  })

  it('is checked on other days', async () => {
    const api = await startAlertApp()
    await api.order(3)
    const { id } = await api.createAlert({ skip_weekend: true })

    await checkDueAt(api, TUESDAY)

    expect((await api.get(`${ALERTS}/${id}`)).body).toMatchObject({
      state: 'Firing',
      last_value: 3,
    })
  })

  it('is due at once when it no longer skips weekends', async () => {
    const api = await startAlertApp()
    await api.order(3)
    const { id } = await api.createAlert({ skip_weekend: true })
    await checkDueAt(api, SATURDAY)

    await api.patch(`${ALERTS}/${id}`, { skip_weekend: false })
    await checkDueAt(api, SATURDAY)

    expect((await api.get(`${ALERTS}/${id}`)).body).toMatchObject({ state: 'Firing' })
  })

  it('is due at once when it is to be checked more often', async () => {
    const api = await startAlertApp()
    const { id } = await api.createAlert({ calculation_interval: 'monthly' })
    await checkDueAt(api, TUESDAY)
    const { next_check_at: before } = await nextCheck(api)

    await api.patch(`${ALERTS}/${id}`, { calculation_interval: 'hourly' })

    const almostFourWeeks = new Date(Date.now() + 27 * 86_400_000).toISOString()
    expect(before > almostFourWeeks).toBe(true)
    expect((await nextCheck(api)).next_check_at <= new Date().toISOString()).toBe(true)
  })
})

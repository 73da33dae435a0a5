import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp } from '../../../../../test/support/app/app.ts'
import { addMetrics, getMetrics, pruneMetrics } from './metrics-store.ts'

async function startWithConfig() {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: 4 })
  return api
}

const NOON = Date.parse('2024-05-01T12:30:00Z')

const atHour = (hour: string, events: number) => ({
  config_id: 1,
  hour,
  runs_succeeded: 1,
  runs_failed: 0,
  deliveries_succeeded: 2,
  deliveries_failed: 0,
  events,
})

describe('the metrics of a config', () => {
  it('are zero before the first run', async () => {
    const api = await startWithConfig()

    const { body } = await api.get(`${CONFIGS}/1/metrics`)

    expect(body.last_24_hours).toHaveLength(24)
    expect(body.last_30_days).toHaveLength(30)
    expect(body.last_30_days.every((day: { events: number }) => day.events === 0)).toBe(true)
    expect((await api.get(`${CONFIGS}/2/metrics`)).status).toBe(404)
  })

  it('add up within an hour', { tags: 'sql' }, async () => {
    const api = await startWithConfig()
    await addMetrics(api.db, 1, { runs_succeeded: 1, deliveries_succeeded: 3, events: 250 })
    await addMetrics(api.db, 1, { runs_failed: 1, deliveries_failed: 1, events: 50 })

    const { body } = await api.get(`${CONFIGS}/1/metrics`)

    const sum = {
      runs_succeeded: 1,
      runs_failed: 1,
      deliveries_succeeded: 3,
      deliveries_failed: 1,
      events: 300,
    }
    expect(body.last_30_days.at(-1)).toMatchObject(sum)
    expect((await api.get(`${CONFIGS}/1`)).body.delivery_rate_24h).toBe('0.75')
  })

  it('are grouped by hour and by day in UTC', { tags: 'sql' }, async () => {
    const { db } = await startWithConfig()
    const hours = [
      '2024-05-01T12:00:00.000Z',
      '2024-04-30T13:00:00.000Z',
      '2024-04-30T12:00:00.000Z',
    ]
    const rows = hours.map((hour, index) => atHour(hour, 10 ** index))
    await db.insertInto('app_metrics').values(rows).execute()

    const { last_24_hours, last_30_days } = await getMetrics(db, 1, NOON)

    expect(last_24_hours[0]).toMatchObject({ start: hours[1], events: 10 })
    expect(last_24_hours.at(-1)).toMatchObject({ start: hours[0], events: 1 })
    expect(last_30_days.at(-1)).toMatchObject({ start: '2024-05-01T00:00:00.000Z', events: 1 })
    expect(last_30_days.at(-2)).toMatchObject({ events: 110, runs_succeeded: 2 })
    expect(last_30_days[0]).toMatchObject({ start: '2024-04-02T00:00:00.000Z' })
  })

  it('are deleted after 30 days', { tags: 'sql' }, async () => {
    const { db } = await startWithConfig()
    await db.insertInto('app_metrics').values(atHour('2024-05-01T12:00:00.000Z', 1)).execute()
    await addMetrics(db, 1, { events: 1 })

    await pruneMetrics(db)

    expect(await db.selectFrom('app_metrics').select('events').execute()).toEqual([{ events: 1 }])
  })
})

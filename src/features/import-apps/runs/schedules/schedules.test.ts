import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/support/app/app.ts'
import { installPlugin, type TestPlugin } from '../../../../../test/support/app/plugin.ts'

async function startWith(plugin: TestPlugin): Promise<TestApp> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: await installPlugin(api.db, plugin), enabled: true })
  return api
}

const HOURLY: TestPlugin = { scheduled_tasks: ['runEveryHour'] }
const SCHEDULE = `${CONFIGS}/1/schedule`

describe('the schedule of a config', () => {
  it('is that of its app by default', { tags: 'sql' }, async () => {
    const api = await startWith(HOURLY)

    const { body } = await api.get(SCHEDULE)

    const next = new Date(Math.floor(Date.now() / 3_600_000 + 1) * 3_600_000).toISOString()
    expect(body).toEqual({ schedule: null, expected_every: null, retry: null, next_run_at: next })
  })

  it('can be changed, and each change is in the activity', { tags: 'sql' }, async () => {
    const api = await startWith(HOURLY)
    const schedule = { cron: '0 6 * * 1-5', time_zone: 'Europe/Berlin' }

    const { body } = await api.patch(SCHEDULE, { schedule })
    await api.patch(SCHEDULE, { expected_every: '2d' })
    await api.patch(SCHEDULE, { expected_every: '2d' })

    expect(body).toMatchObject({ schedule, expected_every: null })
    expect((await api.get(SCHEDULE)).body).toMatchObject({ schedule, expected_every: '2d' })
    const activity = await api.get(`${CONFIGS}/1/activity`, { accept: 'application/json' })
    expect(activity.body.results.slice(0, 2)).toMatchObject([
      { activity: 'updated', detail: { changes: [{ field: 'expected_every', after: '2d' }] } },
      { activity: 'updated', detail: { changes: [{ field: 'schedule', after: schedule }] } },
    ])
  })

  it('says how often a run is retried', { tags: 'sql' }, async () => {
    const api = await startWith(HOURLY)
    const retry = { times: 3, backoff: 'exponential' }

    const { body } = await api.patch(SCHEDULE, { retry })

    expect(body).toMatchObject({ schedule: null, retry })
    expect((await api.get(SCHEDULE)).body.retry).toEqual(retry)
    const activity = await api.get(`${CONFIGS}/1/activity`, { accept: 'application/json' })
    expect(activity.body.results[0]).toMatchObject({
      detail: { changes: [{ field: 'retry', before: null, after: retry }] },
    })
    expect((await api.patch(SCHEDULE, { retry: null })).body.retry).toBe(null)
  })

  it('names the only job of an app without tasks', async () => {
    const api = await startWith({ public_jobs: { 'Import now': {} } })

    const { body } = await api.patch(SCHEDULE, { schedule: { every: '1d' } })

    expect(body.schedule).toEqual({ every: '1d', job: 'Import now' })
  })

  it('has no next run while it is manual or the config is disabled', async () => {
    const api = await startWith(HOURLY)

    expect((await api.patch(SCHEDULE, { schedule: { manual: true } })).body.next_run_at).toBe(null)
    await api.patch(SCHEDULE, { schedule: null })
    await api.patch(`${CONFIGS}/1`, { enabled: false })
    expect((await api.get(SCHEDULE)).body.next_run_at).toBe(null)
  })

  it('is forgotten with the app it was made for', async () => {
    const api = await startWith(HOURLY)
    await api.patch(SCHEDULE, {
      schedule: { every: '5m' },
      expected_every: '1d',
      retry: { times: 1, backoff: 'constant' },
    })

    await api.patch(`${CONFIGS}/1`, { plugin: await installPlugin(api.db, HOURLY) })

    const forgotten = { schedule: null, expected_every: null, retry: null }
    expect((await api.get(SCHEDULE)).body).toMatchObject(forgotten)
  })

  it.each([
    [{ schedule: {} }, 'schedule', 'Set exactly one of "every", "cron" and "manual".'],
    [
      { schedule: { every: '5m', manual: true } },
      'schedule',
      'Set exactly one of "every", "cron" and "manual".',
    ],
    [{ schedule: { every: '32d' } }, 'schedule__every', 'At most 31 days.'],
    [{ expected_every: '99999d' }, 'expected_every', 'At most 31 days.'],
    [{ schedule: { cron: '0 25 * * *' } }, 'schedule__cron', 'Field 2 (hour) is not valid: "25".'],
    [
      { schedule: { cron: '0 6 * * *', time_zone: '+02:00' } },
      'schedule__time_zone',
      '"+02:00" is not a time zone. Use a name such as Europe/Berlin.',
    ],
    [
      { schedule: { every: '5m', time_zone: 'Europe/Berlin' } },
      'schedule__time_zone',
      'Only "cron" has a time zone.',
    ],
    [{ schedule: { every: '5m', job: 'nothing' } }, null, 'Plugin has no public jobs'],
    [{ schedule: { manual: true, job: 'x' } }, 'schedule__job', 'A manual import has no job.'],
  ])('refuses %j', async (patch, attr, detail) => {
    const api = await startWith(HOURLY)

    const { status, body } = await api.patch(SCHEDULE, patch)

    expect([status, body.attr, body.detail]).toEqual([400, attr, detail])
  })

  it.each([
    { schedule: { every: '0m' } },
    { schedule: { every: 'often' } },
    { schedule: { at: 1 } },
    { retry: { times: 0, backoff: 'exponential' } },
    { retry: { times: 11, backoff: 'exponential' } },
    { retry: { times: 3, backoff: 'never' } },
    { retry: { times: 3 } },
  ])('refuses %j by its shape', async (patch) => {
    const api = await startWith(HOURLY)

    expect((await api.patch(SCHEDULE, patch)).status).toBe(400)
  })
})

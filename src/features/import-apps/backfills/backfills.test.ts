import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { type RunningApp, startImportApp } from '../../../../test/support/app/import-app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { until } from '../../../../test/support/until.ts'
import { settleStoppedBackfills } from './settle-window.ts'

const BACKFILL = `${CONFIGS}/1/backfill`
const BACKFILLS = `${CONFIGS}/1/backfills`
const THREE_DAYS = { from: '2025-01-01', to: '2025-01-04' }
const APP = { methods: ['runBackfill'], scheduled_tasks: [] }

/** Captures an event for each window, and says what it read of the state. */
const CAPTURES = `
  export async function runBackfill({ from, to, streams }, { storage, global }) {
    const cursor = await storage.get('cursor')
    await storage.set('cursor', from)
    const day = String(Date.parse(from) / 86_400_000).padStart(12, '0')
    const uuid = '00000000-0000-4000-8000-' + day
    await posthog.capture('day', { distinct_id: 'x', timestamp: from, to, streams, cursor }, { uuid })
  }
  export const jobs = {
    async work(payload, { storage }) { await storage.set('cursor', 'live') },
  }
`

const startCapturing = (source = CAPTURES): Promise<RunningApp> => startImportApp(source, APP)

/** Without a worker. */
async function startIdle(): Promise<TestApp> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: await installPlugin(api.db, APP), enabled: true })
  return api
}

const waitFor = (api: TestApp, id: string, state: string) =>
  until(async () => {
    const { body } = await api.get(`${BACKFILLS}/${id}`)
    return body.state === state && body
  })

const act = (api: TestApp, id: string, action: string) => api.post(`${BACKFILLS}/${id}/${action}`)

const listDays = async (api: TestApp) =>
  (await api.get('events?event=day&limit=100')).body.results.toReversed()

describe('a backfill', () => {
  it('runs each window once, and leaves the live state as it is', { tags: 'sql' }, async () => {
    const api = await startCapturing()
    await api.runJob('work')

    const { status, body } = await api.post(BACKFILL, { ...THREE_DAYS, streams: ['orders'] })
    expect([status, body]).toMatchObject([201, { windows: 3, windows_done: 0, chunk: '1d' }])
    const ended = await waitFor(api, body.id, 'succeeded')

    expect(ended).toMatchObject({
      from: '2025-01-01T00:00:00.000Z',
      to: '2025-01-04T00:00:00.000Z',
      ...{ windows_done: 3, events: 3, new_events: 3, skipped: 0, message: '' },
      finished_at: expect.any(String),
    })
    const days = await listDays(api)
    expect(days.map((day: { timestamp: string }) => day.timestamp.slice(0, 10)).sort()).toEqual([
      '2025-01-01',
      '2025-01-02',
      '2025-01-03',
    ])
    expect(days[0].properties.streams).toEqual(['orders'])
    expect(days.every((day: { properties: object }) => !('cursor' in day.properties))).toBe(true)
    expect((await api.get(`${CONFIGS}/1/state`)).body.state).toEqual({ cursor: 'live' })
    const { results } = (await api.get(`${CONFIGS}/1/runs`)).body
    expect(results.map((run: { backfill: string }) => run.backfill)).toEqual([
      ...Array(3).fill(body.id),
      null,
    ])
    expect(results[0]).toMatchObject({ name: 'runBackfill', payload: { streams: ['orders'] } })
  })

  it('continues at the window that failed', { tags: 'sql' }, async () => {
    const api = await startCapturing(`
      export async function runBackfill({ from }, { cache }) {
        if (from.startsWith('2025-01-02') && !(await cache.get('failed'))) {
          await cache.set('failed', true, 60)
          throw new Error('The service is down.')
        }
        await posthog.capture('day', { distinct_id: 'x', timestamp: from })
      }
    `)
    const { body } = await api.post(BACKFILL, THREE_DAYS)

    const failed = await waitFor(api, body.id, 'failed')
    expect(failed).toMatchObject({ windows_done: 1, message: 'The service is down.' })
    expect((await api.get(`${CONFIGS}/1/health`)).body.state).toBe('never_ran')
    expect((await api.get(`${CONFIGS}/1`)).body.error).toBe('')
    await act(api, body.id, 'resume')

    expect(await waitFor(api, body.id, 'succeeded')).toMatchObject({ windows_done: 3, message: '' })
    expect(await listDays(api)).toHaveLength(3) // without UUIDs, a repeated window would add to them
  })

  it('is paused when its run is canceled', async () => {
    const api = await startCapturing(`
      export async function runBackfill() {
        for (;;) await fetch('http://127.0.0.1:1/').catch(() => {})
      }
    `)
    const { body } = await api.post(BACKFILL, THREE_DAYS)
    const run = await until(async () => {
      const [active] = (await api.get(`${CONFIGS}/1/runs`)).body.results
      return active.state === 'running' && active
    })

    await api.post(`${CONFIGS}/1/runs/${run.id}/cancel`)

    expect(await waitFor(api, body.id, 'paused')).toMatchObject({ windows_done: 0 })
    const retried = await api.post(`${CONFIGS}/1/runs/${run.id}/retry`)
    expect([retried.status, retried.body.detail]).toEqual([
      409,
      'Resume the backfill of this run instead.',
    ])
    await act(api, body.id, 'resume')
    await until(
      async () => (await api.get(`${CONFIGS}/1/runs`)).body.results[0].state === 'running',
    )
    expect((await act(api, body.id, 'cancel')).body.state).toBe('cancelled')
    await until(
      async () => (await api.get(`${CONFIGS}/1/runs`)).body.results[0].state === 'cancelled',
    )
    expect((await api.get(`${BACKFILLS}/${body.id}`)).body).toMatchObject({ state: 'cancelled' })
  })

  it('cannot queue jobs, which would run with the live state', async () => {
    const api = await startCapturing(`
      export async function runBackfill(window, { jobs }) { await jobs.work().runNow() }
      export const jobs = { async work() {} }
    `)
    const { body } = await api.post(BACKFILL, THREE_DAYS)

    const { message } = await waitFor(api, body.id, 'failed')
    expect(message).toBe('A backfill cannot queue jobs.')
  })
})

describe('the state of a backfill', { tags: 'sql' }, () => {
  it('is paused, resumed and canceled', async () => {
    const api = await startIdle()
    const { body } = await api.post(BACKFILL, THREE_DAYS)
    const queued = async () => {
      const { results } = (await api.get(`${CONFIGS}/1/runs`)).body
      return results.filter((run: { state: string }) => run.state === 'queued').length
    }

    expect(await queued()).toBe(1)
    expect((await act(api, body.id, 'pause')).body.state).toBe('paused')
    expect(await queued()).toBe(0)
    expect((await act(api, body.id, 'pause')).status).toBe(409)
    expect((await act(api, body.id, 'resume')).body).toMatchObject({
      state: 'running',
      message: '',
    })
    expect(await queued()).toBe(1)
    expect((await act(api, body.id, 'resume')).status).toBe(409)
    expect((await act(api, body.id, 'cancel')).body.state).toBe('cancelled')
    expect(await queued()).toBe(0)
    expect((await act(api, body.id, 'resume')).body.detail).toBe('This backfill is canceled.')
    expect((await api.get(BACKFILLS)).body).toMatchObject({ count: 1, results: [{ id: body.id }] })
    const activity = await api.get(`${CONFIGS}/1/activity`, { accept: 'application/json' })
    expect(activity.body.results.map((entry: { activity: string }) => entry.activity)).toEqual([
      'backfill_canceled',
      'backfill_resumed',
      'backfill_paused',
      'backfill_started',
      'enabled',
      'created',
    ])
  })

  it('excludes another that overlaps until it has ended', async () => {
    const api = await startIdle()
    const { body: first } = await api.post(BACKFILL, { ...THREE_DAYS, streams: ['a'] })
    const later = { from: '2025-01-03T12:00:00Z', to: '2025-01-09' }

    const { status, body } = await api.post(BACKFILL, { ...later, streams: ['b', 'a'] })
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(body.detail).toContain(first.id)
    expect((await api.post(BACKFILL, { ...later, streams: ['b'] })).status).toBe(201)
    expect((await api.post(BACKFILL, { from: '2025-02-01', to: '2025-02-02' })).status).toBe(201)
    await act(api, first.id, 'pause')
    expect((await api.post(BACKFILL, { ...THREE_DAYS, streams: ['a'] })).status).toBe(409)
    await act(api, first.id, 'cancel')
    expect((await api.post(BACKFILL, { ...THREE_DAYS, streams: ['a'] })).status).toBe(201)
  })

  it('is canceled when the config gets another app', async () => {
    const api = await startIdle()
    const { body } = await api.post(BACKFILL, THREE_DAYS)

    await api.patch(`${CONFIGS}/1`, { plugin: await installPlugin(api.db, APP) })
    await settleStoppedBackfills(api.db)

    expect((await api.get(`${BACKFILLS}/${body.id}`)).body).toMatchObject({
      state: 'cancelled',
      message: expect.stringContaining('another app'),
    })
  })

  it('is paused when someone cancels its queued run', async () => {
    const api = await startIdle()
    const { body } = await api.post(BACKFILL, THREE_DAYS)
    const [run] = (await api.get(`${CONFIGS}/1/runs`)).body.results

    await api.post(`${CONFIGS}/1/runs/${run.id}/cancel`)

    expect((await api.get(`${BACKFILLS}/${body.id}`)).body.state).toBe('paused')
  })

  it('is deleted with its config', async () => {
    const api = await startIdle()
    await api.post(BACKFILL, THREE_DAYS)

    expect((await api.delete(`${CONFIGS}/1`)).status).toBe(204)
    expect(await api.db.selectFrom('backfills').selectAll().execute()).toEqual([])
  })
})

describe('the request for a backfill', () => {
  it.each([
    [{}, 400, 'from'],
    [{ from: '2025-01-01' }, 400, 'to'],
    [{ from: 'soon', to: '2025-01-01' }, 400, 'from'],
    [{ from: '2025-01-02', to: '2025-01-02' }, 400, 'to'],
    [{ from: '2025-01-02', to: '2999-01-01' }, 400, 'to'],
    [{ ...THREE_DAYS, chunk: '0d' }, 400, 'chunk'],
    [{ from: '1990-01-01', to: '2025-01-01', chunk: '1d' }, 400, 'chunk'],
    [{ ...THREE_DAYS, streams: [] }, 400, 'streams'],
    [{ ...THREE_DAYS, streams: ['a', 'a'] }, 400, 'streams'],
    [{ ...THREE_DAYS, streams: 'a' }, 400, 'streams'],
  ])('%j is refused', async (request, status, attr) => {
    const api = await startIdle()

    expect(await api.post(BACKFILL, request)).toMatchObject({ status, body: { attr } })
    expect((await api.get(BACKFILLS)).body.count).toBe(0)
  })

  it('is refused for an app without runBackfill, and while the config is disabled', async () => {
    const api = await startIdle()
    await api.post(CONFIGS, { plugin: await installPlugin(api.db, {}), enabled: true })

    expect((await api.post(`${CONFIGS}/2/backfill`, THREE_DAYS)).body.detail).toBe(
      'The app of this config cannot import the past in windows: it has no runBackfill.',
    )
    await api.patch(`${CONFIGS}/1`, { enabled: false })
    expect((await api.post(BACKFILL, THREE_DAYS)).status).toBe(409)
  })

  it('reaches only its own config and project', async () => {
    const api = await startIdle()
    const { body } = await api.post(BACKFILL, THREE_DAYS)
    await api.post(CONFIGS, { plugin: 4 })
    const other = await api.createProject()

    const foreign = `/api/projects/${other}/pipeline_import_apps_configs/1/backfills/${body.id}`
    expect((await api.get(foreign)).status).toBe(404)
    expect((await api.post(`${foreign}/cancel`)).status).toBe(404)
    expect((await api.get(`${CONFIGS}/2/backfills/${body.id}`)).status).toBe(404)
    expect((await api.get(`${BACKFILLS}/nothing`)).status).toBe(404)
  })
})

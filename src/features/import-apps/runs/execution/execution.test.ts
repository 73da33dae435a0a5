import { describe, expect, it } from 'vitest'
import type { EventStore } from '#server/analytics/event-store.ts'
import { inSeconds } from '#server/db/values.ts'
import { CONFIGS } from '../../../../../test/support/app/app.ts'
import { startImportApp, startTestWorker } from '../../../../../test/support/app/import-app.ts'
import { until } from '../../../../../test/support/until.ts'
import { queueScheduledRuns } from './schedules.ts'

const CAPTURES = `
  export const jobs = {
    async work({ n = 1 }, meta) {
      console.log('asked for', n)
      for (let i = 0; i < n; i++) await posthog.capture('imported', { distinct_id: 'p' + i, i })
      meta.utils.progress(n, n, 'all of them')
    },
  }
  export async function runEveryMinute() { await posthog.capture('ticked') }
`

const WAITS = `
  export const jobs = {
    async work(payload, meta) {
      console.log('begun')
      for (;;) await meta.utils.sleep(100)
    },
  }
`

describe('a run', () => {
  it('captures events, reports its progress and keeps its log', async () => {
    const api = await startImportApp(CAPTURES)

    const run = await api.runJob('work', { n: 3 })

    expect(run).toMatchObject({
      state: 'succeeded',
      message: 'Captured 3 events.',
      progress: { done: 3, total: 3, message: 'all of them' },
      events: 3,
      attempt: 1,
    })
    expect(run.finished_at >= run.started_at).toBe(true)
    const stored = await api.services.events.list(1, { limit: 10, offset: 0 })
    expect(stored.map(({ distinct_id }) => distinct_id).sort()).toEqual(['p0', 'p1', 'p2'])
    expect(await api.logged()).toContain('asked for 3')
    expect((await api.get(`${CONFIGS}/1`)).body).toMatchObject({
      error: '',
      delivery_rate_24h: '1',
    })
  })

  it('fails with the error of the app, which the config shows until a run succeeds', async () => {
    const api = await startImportApp(`
      export const jobs = { async work({ n }) { if (n === 1) throw new Error('No such shop') } }
    `)

    const run = await api.runJob('work', { n: 1 })

    expect(run).toMatchObject({
      state: 'failed',
      attempt: 1,
      message: expect.stringContaining('No such shop'),
    })
    expect((await api.get(`${CONFIGS}/1`)).body.error).toContain('No such shop')
    await api.runJob('work', { n: 2 })
    expect((await api.get(`${CONFIGS}/1`)).body).toMatchObject({
      error: '',
      delivery_rate_24h: '0.5',
    })
    const { body } = await api.get(`${CONFIGS}/1/metrics`)
    expect(body.last_24_hours.at(-1)).toMatchObject({ runs_succeeded: 1, runs_failed: 1 })
  })

  it('fails when the app is not installed', async () => {
    const api = await startImportApp(CAPTURES)
    await api.db.deleteFrom('plugins').where('id', '=', api.pluginId).execute()

    const run = await api.runJob('work')

    expect(run).toMatchObject({
      state: 'failed',
      message: `Plugin ${api.pluginId} is not installed.`,
    })
  })

  it('is canceled while the config is disabled', async () => {
    const api = await startImportApp(CAPTURES)
    await api.patch(`${CONFIGS}/1`, { enabled: false })

    const run = await api.runJob('work')

    expect(run).toMatchObject({ state: 'cancelled', message: expect.stringContaining('disabled') })
    expect(await api.services.events.count(1)).toBe(0)
  })

  it('uses the settings at its start', async () => {
    const config_schema = [{ key: 'shop', type: 'string' as const }]
    const source = `export const jobs = { async work(payload, { config }) { console.log(config.shop) } }`
    const api = await startImportApp(source, { config_schema, settings: { shop: 'first' } })
    await api.runJob('work')
    await api.patch(`${CONFIGS}/1/settings`, { settings: { shop: 'second' } })

    await api.runJob('work')

    expect(await api.logged()).toEqual(expect.arrayContaining(['first', 'second']))
  })

  it('fails with the names of missing settings', async () => {
    const config_schema = [{ key: 'shop', type: 'string' as const, required: true }]
    const api = await startImportApp(CAPTURES, { config_schema })

    const run = await api.runJob('work')

    expect(run).toMatchObject({ state: 'failed', message: expect.stringContaining('shop') })
  })

  it('of a schedule has the name of its task', async () => {
    const api = await startImportApp(CAPTURES, { scheduled_tasks: ['runEveryMinute'] })
    await queueScheduledRuns(api.db, Date.now() + 60_000)
    api.services.wakeUps.notify()

    const run = await until(async () =>
      (await api.get(`${CONFIGS}/1/runs`)).body.results.find(
        (r: { state: string }) => r.state === 'succeeded',
      ),
    )

    expect(run).toMatchObject({ kind: 'schedule', name: 'runEveryMinute', events: 1 })
  })

  it('of a schedule is canceled if it has waited longer than its period', async () => {
    const api = await startImportApp(CAPTURES, { scheduled_tasks: ['runEveryMinute'] })
    await api.worker.stop()
    await queueScheduledRuns(api.db, Date.now() + 60_000)
    await api.db
      .updateTable('runs')
      .set({ created_at: inSeconds(-90) })
      .execute()
    const { id } = await api.db.selectFrom('runs').select('id').executeTakeFirstOrThrow()

    startTestWorker(api)

    expect(await api.waitForRun(id)).toMatchObject({
      state: 'cancelled',
      message: 'The run waited longer than its period.',
    })
  })
})

describe('a job that an app queues itself', () => {
  it('runs with its payload, now or later', async () => {
    const api = await startImportApp(`
      export const jobs = {
        async work(payload, { jobs }) {
          await jobs.follow({ n: 1 }).runNow()
          await jobs.follow({ n: 2 }).runIn(1, 'second')
          await jobs.follow({ n: 3 }).runIn(1, 'hour')
        },
        async follow({ n }) { await posthog.capture('followed', { n }) },
      }
    `)

    await api.runJob('work')

    await until(async () => (await api.services.events.count(1)) === 2)
    const { body } = await api.get(`${CONFIGS}/1/runs`)
    const waiting = body.results.filter(({ state }: { state: string }) => state === 'queued')
    expect(waiting).toMatchObject([{ name: 'follow', payload: { n: 3 }, created_by: null }])
  })
})

describe('canceling a run', () => {
  it('stops it while it is running', async () => {
    const api = await startImportApp(WAITS)
    const { body: run } = await api.post(`${CONFIGS}/1/job`, {}, { accept: 'application/json' })
    await until(async () => (await api.logged()).includes('begun'))

    const { status } = await api.post(`${CONFIGS}/1/runs/${run.id}/cancel`)

    expect(status).toBe(200)
    expect(await api.waitForRun(run.id)).toMatchObject({
      state: 'cancelled',
      message: 'Canceled while running.',
    })
    expect((await api.post(`${CONFIGS}/1/runs/${run.id}/cancel`)).status).toBe(409)
  })

  it('removes it from the queue', async () => {
    const api = await startImportApp(WAITS)
    await api.worker.stop()
    const { body: run } = await api.post(`${CONFIGS}/1/job`, {}, { accept: 'application/json' })

    const { body } = await api.post(`${CONFIGS}/1/runs/${run.id}/cancel`)

    expect(body).toMatchObject({ state: 'cancelled', message: 'Canceled before it started.' })
  })
})

describe('retrying a run', () => {
  it('queues a new run with the same payload', async () => {
    const api = await startImportApp(CAPTURES)
    const first = await api.runJob('work', { n: 2 })

    const { status, body } = await api.post(`${CONFIGS}/1/runs/${first.id}/retry`)

    expect(status).toBe(201)
    expect(body).toMatchObject({ retry_of: first.id, payload: { n: 2 }, state: 'queued' })
    expect(await api.waitForRun(body.id)).toMatchObject({ state: 'succeeded', events: 2 })
  })

  it('is refused while it is running', async () => {
    const api = await startImportApp(WAITS)
    const { body: run } = await api.post(`${CONFIGS}/1/job`, {}, { accept: 'application/json' })
    await until(async () => (await api.logged()).includes('begun'))

    expect((await api.post(`${CONFIGS}/1/runs/${run.id}/retry`)).status).toBe(409)

    await api.post(`${CONFIGS}/1/runs/${run.id}/cancel`)
    await api.waitForRun(run.id)
  })
})

describe('a worker', () => {
  it('restarts the run of a worker that died, and logs the reason', async () => {
    const api = await startImportApp(CAPTURES)
    await api.worker.stop()
    const { body: run } = await api.post(`${CONFIGS}/1/job`, {}, { accept: 'application/json' })
    await api.db
      .updateTable('runs')
      .set({ state: 'running', worker: 'dead', attempt: 1, heartbeat_at: inSeconds(-16) })
      .execute()

    startTestWorker(api)

    expect(await api.waitForRun(run.id)).toMatchObject({ state: 'succeeded', attempt: 2 })
    expect((await api.logged()).join()).toContain('The worker died.')
  })

  it('fails a run whose worker died five times', async () => {
    const api = await startImportApp(CAPTURES)
    await api.worker.stop()
    const { body: run } = await api.post(`${CONFIGS}/1/job`, {}, { accept: 'application/json' })
    await api.db
      .updateTable('runs')
      .set({ state: 'running', worker: 'dead', attempt: 5, heartbeat_at: inSeconds(-16) })
      .execute()

    startTestWorker(api)

    expect(await api.waitForRun(run.id)).toMatchObject({
      state: 'failed',
      message: 'The worker died 5 times.',
    })
  })

  it('says that the database was unavailable at every attempt', async () => {
    const api = await startImportApp(CAPTURES, {
      settings: { shop: 'a' },
      config_schema: [{ key: 'shop', type: 'string' }],
    })
    await api.worker.stop()
    const accept = { accept: 'application/json' }
    const { body } = await api.post(`${CONFIGS}/1/job`, { job: { type: 'work' } }, accept)
    await api.db.updateTable('runs').set({ attempt: 4 }).where('id', '=', body.id).execute()
    const away = () => {
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
        code: 'ECONNREFUSED',
      })
    }

    startTestWorker(api, { secrets: { ...api.services.secrets, decryptText: away } })

    expect(await api.waitForRun(body.id)).toMatchObject({
      state: 'failed',
      message: 'The database was unavailable. The run was tried 5 times.',
    })
  })

  it('retries a run when the event store fails, and logs it', async () => {
    const api = await startImportApp(CAPTURES)
    await api.worker.stop()
    let failures = 0
    const append: EventStore['append'] = async (projectId, events) => {
      if (failures++ === 0) throw new Error('The disk is full.')
      return api.services.events.append(projectId, events)
    }
    startTestWorker(api, { events: { ...api.services.events, append } })

    const run = await api.runJob('work', { n: 1 })

    expect(run).toMatchObject({ state: 'succeeded', attempt: 2, events: 1 })
    expect((await api.logged()).join()).toMatch(
      /Events could not be stored just now\. Attempt 1 of 5, retrying in 2 s/,
    )
    expect(await api.services.events.count(1)).toBe(1)
  })
})

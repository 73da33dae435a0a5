import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../../test/support/app/import-app.ts'
import { PLUGINS, sourceOf } from '../../../../../test/support/app/plugin.ts'
import { until } from '../../../../../test/support/until.ts'
import { queueScheduledRuns } from './schedules.ts'

/** Starts its import when it is set up, and continues batch by batch, as PostHog's import from Redshift does. */
const IMPORT = `
  export const jobs = {
    importBatch: async ({ retries }, { cache, config, global, jobs }) => {
      const batch = await cache.incr('batch')
      if (batch > global.total) return console.log('Done')
      posthog.capture('row', { distinct_id: config.table, batch, retries })
      await jobs.importBatch({ retries: 0 }).runNow()
    },
  }
  export async function setupPlugin({ config, global, jobs, cache }) {
    if (config.table === 'missing') throw new Error('Unable to connect!')
    global.total = 3
    await cache.set('batch', 0)
    await jobs.importBatch({ retries: 0 }).runIn(10, 'milliseconds')
  }`
const SETTINGS = { config: [{ key: 'table', name: 'Table', default: 'orders' }] }

interface Captured {
  readonly properties: { readonly batch: number }
}

interface Listed {
  readonly kind: string
  readonly name: string
  readonly state: string
}

async function start(code = IMPORT, manifest: object = SETTINGS) {
  const api = await startApp()
  const { body: app } = await api.post(PLUGINS, sourceOf(code, manifest))
  const { body: config } = await api.post(CONFIGS, { plugin: app.id })
  const path = `${CONFIGS}/${config.id}`
  return { api, app: `${PLUGINS}/${app.id}`, path, configId: config.id as number }
}

/** Lists the runs, oldest first. */
async function listRuns(api: TestApp, path: string): Promise<Listed[]> {
  const { body } = await api.get(`${path}/runs`)
  return body.results.toReversed()
}

const listSetUps = async (api: TestApp, path: string) =>
  (await listRuns(api, path)).filter(({ name }) => name === 'setupPlugin')

/** Waits until there are no unfinished runs, and at least this many. */
const idle = (api: TestApp, path: string, count: number) =>
  until(async () => {
    const runs = await listRuns(api, path)
    const isIdle = runs.every(({ state }) => state !== 'queued' && state !== 'running')
    return runs.length >= count && isIdle && runs
  })

describe('an app that starts jobs when it is set up', () => {
  it('imports once its config is enabled', async () => {
    const { api, path } = await start()
    startTestWorker(api)

    await api.patch(path, { enabled: true })
    const runs = await idle(api, path, 5)

    expect(runs.map(({ kind, name, state }) => `${kind} ${name} ${state}`)).toEqual([
      'schedule setupPlugin succeeded',
      ...Array(4).fill('job importBatch succeeded'),
    ])
    const { body: events } = await api.get('events')
    const batches = events.results.map(({ properties }: Captured) => properties.batch)
    expect(batches.toSorted()).toEqual([1, 2, 3])
    const { body: logs } = await api.get(`${path}/logs`)
    expect(logs.results.map(({ message }: { message: string }) => message)).toContain('Done')
  })

  it('shows the error of its set-up', async () => {
    const { api, path } = await start()
    await api.patch(`${path}/settings`, { settings: { table: 'missing' } })
    startTestWorker(api)

    await api.patch(path, { enabled: true })
    const [run] = await idle(api, path, 1)

    expect(run?.state).toBe('failed')
    expect((await api.get(path)).body.error).toContain('Unable to connect!')
  })

  it('is set up again when it is enabled again or its settings or files change', async () => {
    const { api, path } = await start(IMPORT, {
      config: [...SETTINGS.config, { key: 'map', name: 'Map', type: 'attachment' }],
    })
    const counts: number[] = []
    const count = async () => {
      counts.push((await listSetUps(api, path)).length)
      await api.db.updateTable('runs').set({ state: 'succeeded' }).execute()
    }

    await api.patch(`${path}/settings`, { settings: { table: 'a' } })
    await count()
    await api.patch(path, { enabled: true })
    await count()
    await api.patch(path, { name: 'Other', order: 5 })
    await count()
    await api.patch(`${path}/settings`, { settings: { table: 'b' } })
    await count()
    await api.patch(path, { config: { table: 'c' } })
    await count()
    await api.request('PUT', `${path}/attachments/map`, '{}')
    await count()
    await api.patch(path, { enabled: false })
    await api.patch(path, { enabled: true })
    await count()

    expect(counts).toEqual([0, 1, 1, 2, 3, 4, 5])
  })

  it('is set up once by any number of schedulers after its app was updated', {
    tags: 'sql',
  }, async () => {
    const { api, path, app } = await start()
    await api.patch(path, { enabled: true })
    await api.db.updateTable('runs').set({ state: 'succeeded' }).execute()
    const poll = () => queueScheduledRuns(api.db, Date.now())

    const before = await poll()
    await api.patch(`${app}/update_source`, { 'index.ts': `${IMPORT}\n// new` })
    const polls = await Promise.all([poll(), poll(), poll()])
    const after = await poll()

    expect(before).toBe(0)
    expect(polls.toSorted()).toEqual([0, 0, 1])
    expect(after).toBe(0)
    expect(await listSetUps(api, path)).toHaveLength(2)
  })

  it('waits for a set-up under way, and is set up after an update meanwhile', {
    tags: 'sql',
  }, async () => {
    const { api, path, app } = await start()
    await api.patch(path, { enabled: true })
    await api.patch(`${app}/update_source`, { 'index.ts': `${IMPORT}\n// new` })

    const during = await queueScheduledRuns(api.db, Date.now())
    await api.db.updateTable('runs').set({ state: 'succeeded' }).execute()
    const then = await queueScheduledRuns(api.db, Date.now())

    expect([during, then]).toEqual([0, 1])
  })

  it('queues one set-up while it waits for a worker', { tags: 'sql' }, async () => {
    const { api, path } = await start()

    await api.patch(path, { enabled: true })
    await api.patch(`${path}/settings`, { settings: { table: 'a' } })
    await api.patch(`${path}/settings`, { settings: { table: 'b' } })

    expect(await listSetUps(api, path)).toHaveLength(1)
  })

  it('does not start its jobs again when a job starts a new process', async () => {
    const code = `
      export const jobs = { work: () => console.log('worked') }
      export const setupPlugin = ({ jobs }) => jobs.work().runNow()`
    const { api, path, configId } = await start(code, { publicJobs: { work: {} } })
    startTestWorker(api)
    await api.patch(path, { enabled: true })
    await idle(api, path, 2)

    await api.services.runtime.evict(configId)
    await api.post(`${path}/job`, { job: { type: 'work' } })
    const runs = await idle(api, path, 3)

    expect(runs.map(({ name }) => name)).toEqual(['setupPlugin', 'work', 'work'])
  })

  it('is set up by a run without a job', async () => {
    const { api, path } = await start()

    const { body } = await api.post(`${path}/job`, {}, { accept: 'application/json' })

    expect(body).toMatchObject({ kind: 'schedule', name: 'setupPlugin', state: 'queued' })
  })
})

describe('an app that starts no jobs when it is set up', () => {
  it.each([
    ['without jobs', 'export const setupPlugin = () => {}; export const runEveryHour = () => {}'],
    ['without a set-up', 'export const jobs = { work: () => {} }'],
  ])('is not set up by a run of its own: %s', async (_, code) => {
    const { api, path } = await start(code, {})

    await api.patch(path, { enabled: true })

    expect(await listSetUps(api, path)).toEqual([])
    expect(await queueScheduledRuns(api.db, Date.now())).toBe(0)
  })
})

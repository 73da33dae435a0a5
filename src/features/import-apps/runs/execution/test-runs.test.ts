import { describe, expect, it } from 'vitest'
import { CONFIGS } from '../../../../../test/support/app/app.ts'
import { type RunningApp, startImportApp } from '../../../../../test/support/app/import-app.ts'

const ACCEPT_JSON = { accept: 'application/json' }

/** Writes to everything that an app can write to. */
const WRITES = `
  export async function setupPlugin({ storage }) { await storage.set('set up', true) }
  export const jobs = {
    async work({ n = 1 }, { storage, cache, jobs, utils }) {
      await storage.set('position', n)
      await cache.set('seen', n)
      await jobs.work({ n }).runNow()
      utils.skip('Line 1: no person.', { line: 1 })
      for (let i = 0; i < n; i++) await posthog.capture('imported', { distinct_id: 'p' + i, i })
      console.log('position', await storage.get('position'))
    },
  }
`

async function testJob(api: RunningApp, payload: object = {}) {
  const sent = { dry_run: true, job: { type: 'work', payload } }
  const { body } = await api.post(`${CONFIGS}/1/job`, sent, ACCEPT_JSON)
  return api.waitForRun(body.id)
}

describe('a test run', () => {
  it('stores nothing and shows the events that it would store', async () => {
    const api = await startImportApp(WRITES)
    await api.patch(`${CONFIGS}/1`, { enabled: false })

    const run = await testJob(api, { n: 25 })

    expect(run).toMatchObject({ state: 'succeeded', dry_run: true, events: 25, skipped: 1 })
    expect(run.new_events).toBe(null)
    const { body } = await api.get(`${CONFIGS}/1/runs/${run.id}/preview`)
    expect(body.events).toHaveLength(20)
    expect(body.events[19]).toMatchObject({
      event: 'imported',
      distinct_id: 'p19',
      properties: { i: 19 },
    })
    expect(body.skipped).toEqual([{ reason: 'Line 1: no person.', row: '{"line":1}' }])
    expect(await api.logged()).toContain('position 25')
    expect(await api.services.events.count(1)).toBe(0)
    for (const table of ['app_storage', 'app_cache', 'app_metrics'] as const) {
      expect(await api.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
    expect((await api.get(`${CONFIGS}/1/runs`)).body.count).toBe(1)
  })

  it('shows the part of large events that queries read', async () => {
    const api = await startImportApp(`
      const properties = (size) => ({ plan: 'team', list: Array(size).fill({ a: 1 }) })
      export const jobs = {
        async work() {
          posthog.capture('small', properties(1))
          posthog.capture('medium', properties(5000))
          posthog.capture('large', properties(20000))
        },
      }
    `)

    const run = await testJob(api)

    expect(run).toMatchObject({ state: 'succeeded', events: 3 })
    const { body } = await api.get(`${CONFIGS}/1/runs/${run.id}/preview`)
    const lists = body.events.map(
      ({ event, properties }: { event: string; properties: object }) => [event, properties],
    )
    expect(lists).toEqual([
      ['small', expect.objectContaining({ plan: 'team', list: [{ a: 1 }] })],
      ['medium', expect.not.objectContaining({ list: expect.anything() })],
      ['large', expect.not.objectContaining({ list: expect.anything() })],
    ])
    expect(body.events[2]).toMatchObject({ properties: { plan: 'team' } })
  })

  it('ends after 1000 rows, however many there are', async () => {
    const api = await startImportApp(`
      export const jobs = {
        async work() { for (let i = 0; ; i++) await posthog.capture('imported', { i }) },
      }
    `)

    const run = await testJob(api)

    expect(run.state).toBe('succeeded')
    expect(run.events).toBeGreaterThanOrEqual(1000)
    expect(await api.services.events.count(1)).toBe(0)
  })

  it('leaves nothing in memory for the next run, and does not count as one', async () => {
    const api = await startImportApp(`
      export const jobs = {
        async work({ n }, { global }) {
          if (n === 1) { global.seen = true; throw new Error('No such shop') }
          console.log('seen', global.seen)
        },
      }
    `)

    const test = await testJob(api, { n: 1 })
    await api.runJob('work', { n: 2 })

    expect(test).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('No such shop'),
    })
    expect(await api.logged()).toContain('seen undefined')
    expect((await api.get(`${CONFIGS}/1`)).body).toMatchObject({
      error: '',
      delivery_rate_24h: '1',
    })
    const { body } = await api.get(`${CONFIGS}/1/runs?dry_run=false`)
    expect(body).toMatchObject({ count: 1, results: [{ dry_run: false }] })
  })

  it('cannot write through the API', async () => {
    const api = await startImportApp(`
      export const jobs = { async work() { await posthog.api.post('/api/event', { data: {} }) } }
    `)

    const run = await testJob(api)

    expect(run).toMatchObject({ state: 'failed', message: expect.stringContaining('posthog.api') })
  })

  it('is repeated as a test run', async () => {
    const api = await startImportApp(WRITES)
    const first = await testJob(api, { n: 2 })

    const { body } = await api.post(`${CONFIGS}/1/runs/${first.id}/retry`)

    expect(await api.waitForRun(body.id)).toMatchObject({ dry_run: true, events: 2 })
    expect(await api.services.events.count(1)).toBe(0)
  })
})

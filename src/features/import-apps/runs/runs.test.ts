import { describe, expect, it } from 'vitest'
import type { Schema } from '#server/db/schema.ts'
import { inSeconds, uuid } from '#server/db/values.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../test/support/app/app.ts'

const HOUR = 3600

interface Finished {
  readonly state: Schema['runs']['state']
  readonly hoursAgo?: number
  readonly message?: string
  readonly config?: number
}

async function insertRuns(api: TestApp, runs: readonly Finished[]): Promise<void> {
  for (const [index, { state, hoursAgo = 1, message = '', config = 1 }] of runs.entries()) {
    const run = { id: uuid(), project_id: 1, config_id: config, state, message, payload: '{}' }
    const at = inSeconds(index - hoursAgo * HOUR)
    const finished_at = state === 'queued' || state === 'running' ? null : at
    await api.db
      .insertInto('runs')
      .values({ ...run, kind: 'job', name: 'x', operation: 'start', created_at: at, finished_at })
      .execute()
  }
}

async function startWithConfig(): Promise<TestApp> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: 4 })
  return api
}

describe('runs', () => {
  it('are listed newest first, in pages', async () => {
    const api = await startWithConfig()
    const messages = ['first', 'second', 'third']
    await insertRuns(
      api,
      messages.map((message) => ({ state: 'succeeded', message })),
    )

    const { body } = await api.get(`${CONFIGS}/1/runs?limit=2`)

    expect(body).toMatchObject({ count: 3, results: [{ message: 'third' }, { message: 'second' }] })
    expect(body.next).toBe(api.address(`${CONFIGS}/1/runs?limit=2&offset=2`))
    expect((await api.get(`${CONFIGS}/1/runs?offset=9`)).body).toMatchObject({
      count: 3,
      results: [],
    })
  })

  it('are read by id', async () => {
    const api = await startWithConfig()
    const { body: run } = await api.post(`${CONFIGS}/1/job`, {}, { accept: 'application/json' })

    const { body } = await api.get(`${CONFIGS}/1/runs/${run.id.toUpperCase()}`)

    expect(body).toEqual(run)
    expect((await api.get(`${CONFIGS}/1/runs`)).body.results).toEqual([run])
  })

  it('belong to their config and project', async () => {
    const api = await startWithConfig()
    await api.post(CONFIGS, { plugin: 4 })
    const { body: run } = await api.post(`${CONFIGS}/1/job`, {}, { accept: 'application/json' })
    const theirs = api.path(CONFIGS, await api.createProject())

    expect((await api.get(`${CONFIGS}/2/runs`)).body.count).toBe(0)
    expect((await api.get(`${CONFIGS}/2/runs/${run.id}`)).status).toBe(404)
    expect((await api.get(`${theirs}/1/runs/${run.id}`)).status).toBe(404)
    expect((await api.get(`${CONFIGS}/9/runs`)).status).toBe(404)
  })

  it.each(['x', '1', '00000000-0000-4000-8000-000000000000'])('are not found by %s', async (id) => {
    const api = await startWithConfig()

    expect((await api.get(`${CONFIGS}/1/runs/${id}`)).status).toBe(404)
  })
})

describe('the delivery rate of the last 24 hours', () => {
  it.each<[string, string, Finished[]]>([
    ['', 'nothing ran', []],
    ['', 'nothing finished', [{ state: 'queued' }, { state: 'running' }, { state: 'cancelled' }]],
    ['', 'all runs are older', [{ state: 'succeeded', hoursAgo: 25 }]],
    ['1', 'all succeeded', [{ state: 'succeeded' }, { state: 'succeeded', hoursAgo: 23 }]],
    ['0', 'all failed', [{ state: 'failed' }]],
    ['0.5', 'half failed', [{ state: 'failed' }, { state: 'succeeded' }, { state: 'cancelled' }]],
    ['0.6667', 'a third failed', statesOf('failed', 'succeeded', 'succeeded')],
  ])('is "%s" when %s', async (rate, _, runs) => {
    const api = await startWithConfig()
    await insertRuns(api, runs)

    const { body } = await api.get(`${CONFIGS}/1`)

    expect(body.delivery_rate_24h).toBe(rate)
    expect((await api.get(CONFIGS)).body.results).toEqual([body])
  })

  it('is computed for each config separately', async () => {
    const api = await startWithConfig()
    for (const _ of [2, 3]) await api.post(CONFIGS, { plugin: 4 })
    await insertRuns(api, [
      { state: 'failed', config: 1 },
      { state: 'succeeded', config: 2 },
    ])

    const { body } = await api.get(CONFIGS)

    expect(
      body.results.map((config: { delivery_rate_24h: string }) => config.delivery_rate_24h),
    ).toEqual(['0', '1', ''])
  })
})

describe('the error of a config', () => {
  it.each<[string, string, Finished[]]>([
    ['Broken', 'the latest run failed', [{ state: 'succeeded' }, failed('Broken')]],
    ['Broken', 'it failed long ago', [{ ...failed('Broken'), hoursAgo: 500 }]],
    ['Broken', 'a newer one still waits', [failed('Broken'), { state: 'queued' }]],
    ['Broken', 'a newer one was canceled', [failed('Broken'), { state: 'cancelled' }]],
    ['', 'a newer one succeeded', [failed('Broken'), { state: 'succeeded' }]],
    ['Again', 'it failed again', [failed('Broken'), failed('Again')]],
  ])('is "%s" when %s', async (error, _, runs) => {
    const api = await startWithConfig()
    await insertRuns(api, runs)

    const { body } = await api.get(`${CONFIGS}/1`)

    expect(body.error).toBe(error)
    expect((await api.get(CONFIGS)).body.results).toEqual([body])
  })
})

function statesOf(...states: Finished['state'][]): Finished[] {
  return states.map((state) => ({ state }))
}

function failed(message: string): Finished {
  return { state: 'failed', message }
}

import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CONFIGS } from '../../../../../test/support/app/app.ts'
import { type RunningApp, startImportApp } from '../../../../../test/support/app/import-app.ts'
import { until } from '../../../../../test/support/until.ts'
import { toDelaySeconds } from './retries.ts'

const SCHEDULE = `${CONFIGS}/1/schedule`
const THREE = { retry: { times: 3, backoff: 'exponential' } }

/** Serves these responses in turn, then 200. */
async function startService(
  ...responses: { status: number; headers?: Record<string, string> }[]
): Promise<string> {
  const server = createServer((_, response) => {
    const { status, headers } = responses.shift() ?? { status: 200 }
    response.writeHead(status, headers).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`
}

const READS = (url: string) => `
  export const jobs = {
    async work() {
      await posthog.capture('begun')
      const response = await fetch('${url}')
      if (!response.ok) throw new Error('The service returned ' + response.status)
    },
  }
`

const FAILS = (error: string) => `
  export const jobs = { async work() { throw ${error} } }
`

const start = async (source: string): Promise<RunningApp> => {
  const api = await startImportApp(source, { env: { HEDGEROW_APP_HOSTS: '127.0.0.1' } })
  await api.patch(SCHEDULE, THREE)
  return api
}

async function startRun(api: RunningApp): Promise<string> {
  const job = { type: 'work', payload: {} }
  const { body } = await api.post(`${CONFIGS}/1/job`, { job }, { accept: 'application/json' })
  return body.id
}

/** Waits until a run waits for its n-th retry, and returns for how many seconds it does. */
async function waitForRetry(api: RunningApp, id: string, nth: number): Promise<number> {
  const { retry_at } = await until(() =>
    api.db
      .selectFrom('runs')
      .select('retry_at')
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .where('worker', 'is', null)
      .where('retries', '=', nth)
      .executeTakeFirst(),
  )
  return (Date.parse(retry_at ?? '') - Date.now()) / 1000
}

/** Makes the retry due that a run waits for, and returns how many seconds it would have waited. */
async function skipDelay(api: RunningApp, id: string, nth: number): Promise<number> {
  const seconds = await waitForRetry(api, id, nth)
  await api.db.updateTable('runs').set({ retry_at: null }).where('id', '=', id).execute()
  api.services.wakeUps.notify()
  return seconds
}

describe('a run that failed temporarily', () => {
  it('is repeated, and counts what all attempts captured', { tags: 'sql' }, async () => {
    const api = await start(READS(await startService({ status: 503 }, { status: 429 })))

    const id = await startRun(api)
    await skipDelay(api, id, 1)
    await skipDelay(api, id, 2)
    const run = await api.waitForRun(id)

    expect(run).toMatchObject({ state: 'succeeded', attempt: 3, events: 3, new_events: 3 })
    expect(await api.logged()).toContainEqual(
      expect.stringMatching(/^Retry 2 of 3 in 20 s\. It failed: The service returned 429$/),
    )
    const { body } = await api.get(`${CONFIGS}/1/metrics`)
    expect(body.last_24_hours.at(-1)).toMatchObject({
      runs_succeeded: 1,
      runs_failed: 0,
      events: 3,
    })
  })

  it('waits as long as the service asks for, without a slot', async () => {
    const busy = { status: 429, headers: { 'retry-after': '300' } }
    const api = await start(READS(await startService(busy)))

    const id = await startRun(api)

    await waitForRetry(api, id, 1)
    await api.services.runtime.evict(1) // or the server would still wait for the time that it skips
    expect(await skipDelay(api, id, 1)).toBeGreaterThan(250)
    expect(await api.waitForRun(id)).toMatchObject({ state: 'succeeded', attempt: 2 })
  })

  it('fails after its last retry', async () => {
    const api = await start(FAILS(`Object.assign(new Error('busy'), { isTemporary: true })`))

    const id = await startRun(api)
    for (const nth of [1, 2, 3]) await skipDelay(api, id, nth)
    const run = await api.waitForRun(id)

    expect(run).toMatchObject({ state: 'failed', attempt: 4, message: 'busy' })
  })

  it.each([
    ['a network failure', READS('http://127.0.0.1:1/')],
    ['a RetryError', FAILS(`new RetryError('later')`)],
  ])('may be %s', async (_, source) => {
    const api = await start(source)

    const id = await startRun(api)

    expect(await waitForRetry(api, id, 1)).toBeLessThanOrEqual(10)
  })

  it('is not repeated once its config is disabled', async () => {
    const api = await start(FAILS(`new RetryError('later')`))
    const id = await startRun(api)
    await waitForRetry(api, id, 1)
    await api.patch(`${CONFIGS}/1`, { enabled: false })
    await skipDelay(api, id, 1)

    expect(await api.waitForRun(id)).toMatchObject({ state: 'cancelled' })
  })
})

describe('a run that is not repeated', () => {
  it.each([
    ['failed for good', READS('{url}'), { status: 401 }],
    ['failed in the app', FAILS(`new Error('No such shop')`), { status: 200 }],
  ])('%s', async (_, source, response) => {
    const api = await start(source.replace('{url}', await startService(response)))

    expect(await api.runJob('work')).toMatchObject({ state: 'failed', attempt: 1 })
  })

  it('belongs to a config without retries', async () => {
    const api = await start(FAILS(`new RetryError('later')`))
    await api.patch(SCHEDULE, { retry: null })

    expect(await api.runJob('work')).toMatchObject({ state: 'failed', attempt: 1 })
  })
})

describe('the delay', () => {
  it.each([
    ['exponential', 1, 0, 10],
    ['exponential', 3, 0, 40],
    ['exponential', 10, 0, 3600],
    ['constant', 3, 0, 10],
    ['constant', 1, 90_500, 91],
    ['exponential', 3, 20_000, 40],
    ['constant', 1, 10 ** 12, 86_400],
  ] as const)('%s, retry %i, Retry-After %i ms: %i s', (backoff, nth, retryAfterMs, seconds) => {
    expect(toDelaySeconds({ times: 10, backoff }, nth, retryAfterMs)).toBe(seconds)
  })
})

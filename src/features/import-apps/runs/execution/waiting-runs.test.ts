import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CONFIGS } from '../../../../../test/support/app/app.ts'
import {
  type RunningApp,
  startImportApp,
  startTestWorker,
} from '../../../../../test/support/app/import-app.ts'
import { until } from '../../../../../test/support/until.ts'

/** Serves 200, or 429 with these `Retry-After` headers at first. Returns the times of its requests. */
async function startService(...retryAfter: string[]) {
  const times: number[] = []
  const server = createServer((_, response) => {
    times.push(performance.now())
    const header = retryAfter.shift()
    if (header === undefined) response.writeHead(200)
    else response.writeHead(429, { 'retry-after': header })
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`
  return { host, url: `http://${host}/`, times }
}

/** Starts the app with a worker that has one slot. */
async function startWithOneSlot(source: string): Promise<RunningApp> {
  const api = await startImportApp(source, { env: { HEDGEROW_APP_HOSTS: '127.0.0.1' } })
  await api.worker.stop()
  startTestWorker(api, {}, { concurrency: 1 })
  return api
}

const queueJob = async (api: RunningApp, configId: number, n: number): Promise<string> => {
  const job = { type: 'work', payload: { n } }
  const named = { accept: 'application/json' }
  return (await api.post(`${CONFIGS}/${configId}/job`, { job }, named)).body.id
}

describe('a server that an app requests', () => {
  it('gets no request before the time that it has asked for', async () => {
    const { url, times } = await startService('1')
    const api = await startWithOneSlot(`
      export const jobs = {
        async work() {
          console.log((await fetch('${url}')).status)
          console.log((await fetch('${url}')).status)
        },
      }
    `)

    expect(await api.runJob('work')).toMatchObject({ state: 'succeeded' })

    expect((await api.logged()).filter((line) => /^\d+$/.test(line))).toEqual(['429', '200'])
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(990)
  })

  it('is not requested if it asks for long, also by the next run', async () => {
    const { url, times } = await startService('3600')
    const api = await startWithOneSlot(`
      export const jobs = {
        async work() { if (!(await fetch('${url}')).ok) throw new Error('busy') },
      }
    `)

    expect(await api.runJob('work')).toMatchObject({ state: 'failed', message: 'busy' })
    const { state, message } = await api.runJob('work')

    expect(state).toBe('failed')
    expect(message).toMatch(
      /^FetchError: 127\.0\.0\.1:\d+ takes no request for another 3\d\d\d s\.$/,
    )
    expect(times).toHaveLength(1)
  })

  it('gets at most as many requests as the app says', async () => {
    const { host, url, times } = await startService()
    const api = await startWithOneSlot(`
      export const jobs = {
        async work(payload, { utils }) {
          await utils.rateLimit('${host}', { requests: 2, seconds: 0.5 })
          console.log(Date.now())
          await Promise.all([1, 2, 3, 4, 5].map(() => fetch('${url}')))
        },
      }
    `)

    expect(await api.runJob('work')).toMatchObject({ state: 'succeeded' })

    expect(times).toHaveLength(5)
    // the first request may arrive late, so the last is compared with the time before all of them
    const begun = Number((await api.logged()).find((line) => /^\d{13}$/.test(line)))
    expect(performance.timeOrigin + Math.max(...times) - begun).toBeGreaterThanOrEqual(950)
  })

  it.each([
    ["'', { requests: 1, seconds: 1 }", 'rateLimit needs a host'],
    ["'http://a.b', { requests: 1, seconds: 1 }", 'rateLimit needs a host'],
    ["'a.b', { requests: 0, seconds: 1 }", 'rateLimit allows 1 to 10000 requests.'],
    ["'a.b', { requests: 1.5, seconds: 1 }", 'rateLimit allows 1 to 10000 requests.'],
    ["'a.b', { requests: 1, seconds: 1e9 }", 'rateLimit takes a period of at most 86400 seconds.'],
    ["'a.b', {}", 'rateLimit allows 1 to 10000 requests.'],
  ])('has no budget of %s', async (given, message) => {
    const api = await startWithOneSlot(`
      export const jobs = { async work(payload, { utils }) { await utils.rateLimit(${given}) } }
    `)

    expect((await api.runJob('work')).message).toContain(message)
  })
})

describe('a run that only waits', () => {
  it('leaves its slot to others', { tags: 'sql' }, async () => {
    const { host, url } = await startService()
    const api = await startWithOneSlot(`
      export const jobs = {
        async work({ n }, { utils }) {
          if (n === 0) return
          await utils.rateLimit('${host}', { requests: 1, seconds: 600 })
          await fetch('${url}')
          await fetch('${url}')
        },
      }
    `)
    await api.post(CONFIGS, { plugin: api.pluginId, enabled: true })

    const waiting = await queueJob(api, 1, 1)
    await api.waitForRun(waiting, 'running')
    const other = await queueJob(api, 2, 0)
    await until(async () => {
      const { body } = await api.get(`${CONFIGS}/2/runs/${other}`)
      return body.state === 'succeeded'
    })

    expect((await api.waitForRun(waiting, 'running')).state).toBe('running')
    await api.post(`${CONFIGS}/1/runs/${waiting}/cancel`)
    expect((await api.waitForRun(waiting)).state).toBe('cancelled')
  })
})

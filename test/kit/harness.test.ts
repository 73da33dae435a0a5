import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type HarnessOptions, type Meta, startHarness } from '../../kit/index.ts'

const SECRET = 's3cret+value'

const MANIFEST = {
  name: 'Shop',
  config: [
    { markdown: 'Text' },
    { key: 'token', type: 'string', secret: true },
    { key: 'currency', type: 'string', default: 'EUR' },
  ],
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-kit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'plugin.json'), JSON.stringify(MANIFEST))
  return folder
}

function start(options: HarnessOptions<object>, isRecording = false) {
  vi.stubEnv('HEDGEROW_RECORD', isRecording ? '1' : '')
  const app = startHarness<Record<string, unknown>>(
    options as HarnessOptions<Record<string, unknown>>,
  )
  onTestFinished(() => {
    app.end()
    vi.unstubAllEnvs()
  })
  return app
}

/** Responds with the number of the request, and with what it received. */
async function startApi(): Promise<{ url: string; close(): void; count(): number }> {
  let count = 0
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    response.setHeader('x-private', SECRET)
    response.setHeader('link', '<http://127.0.0.1/2>; rel="next"')
    const { url, headers } = request
    const body = {
      n: ++count,
      url,
      key: headers.authorization,
      sent: Buffer.concat(parts).toString(),
    }
    response.writeHead(url === '/missing' ? 404 : 200).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close, count: () => count }
}

/** An app that asks twice, sends its token in three places, and posts. */
async function importOrders(
  { config }: Meta<Record<string, unknown>>,
  url: string,
): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${config.token}` }
  const read = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(url + path, { headers, ...options })
    const { n, sent } = (await response.json()) as { n: number; sent: string }
    return [response.status, n, sent, response.headers.get('link') !== null]
  }
  return [
    await read(`/orders?token=${encodeURIComponent(String(config.token))}`),
    await read('/orders'),
    await read('/orders'),
    await read('/missing'),
    await read('/orders', { method: 'POST', body: `{"token":"${config.token}"}` }),
  ]
}

describe('a recording', () => {
  it('replays what was received, without a network and without secrets', async () => {
    const folder = await makeFolder()
    const recording = join(folder, 'recordings/orders.json')
    const api = await startApi()

    const recorder = start({ folder, recording, settings: { token: SECRET } }, true)
    const received = await importOrders(recorder.meta, api.url)
    recorder.end()
    api.close()
    const text = await readFile(recording, 'utf8')
    const player = start({ folder, recording, settings: { token: SECRET } })
    const replayed = await importOrders(player.meta, api.url)

    expect(received.map((each) => (each as number[])[0])).toEqual([200, 200, 200, 404, 200])
    expect(replayed.map((each) => (each as unknown[]).slice(0, 2))).toEqual(
      received.map((each) => (each as unknown[]).slice(0, 2)),
    )
    expect(api.count()).toBe(5)
    for (const form of [SECRET, encodeURIComponent(SECRET), 'x-private']) {
      expect(text).not.toContain(form)
    }
    expect(text).toContain('rel=\\"next\\"')
  })

  it('says which request it lacks', async () => {
    const folder = await makeFolder()
    start({ folder, recording: join(folder, 'none.json') })

    await expect(fetch('https://api.example.com/a')).rejects.toThrow(
      /none\.json has no response to GET https:\/\/api\.example\.com\/a\. .*HEDGEROW_RECORD=1/,
    )
  })

  it('is needed to fetch', async () => {
    start({ folder: await makeFolder() })

    await expect(fetch('https://api.example.com/a')).rejects.toThrow('has no recording')
  })
})

describe('the harness', () => {
  it('keeps what an app does, and gives the globals back', async () => {
    const before = globalThis.fetch
    const app = start({ folder: await makeFolder(), settings: { token: 'x' } })
    const { meta } = app

    await posthog.capture('order', { distinct_id: 'ada', at: new Date(0) }, { uuid: 'u1' })
    await meta.storage.set('cursor', { page: 2 })
    await meta.utils.cursor.increment('count', 2)
    await meta.jobs.later?.({ n: 1 }).runIn(5, 'minutes')
    meta.utils.skip('no person', { id: 7 })
    meta.utils.progress(1, 2, 'Reading')
    await meta.cache.lpush('list', ['a', 'b'])

    expect(meta.config).toEqual({ token: 'x', currency: 'EUR' })
    expect(app.events).toEqual([
      { event: 'order', distinct_id: 'ada', at: '1970-01-01T00:00:00.000Z', uuid: 'u1' },
    ])
    expect(Object.fromEntries(app.stored)).toEqual({ cursor: { page: 2 }, count: 2 })
    expect(await meta.storage.get('cursor')).toEqual({ page: 2 })
    expect(await meta.storage.get('none', 7)).toBe(7)
    expect(await meta.cache.lrange('list', 0, -1)).toEqual(['b', 'a'])
    expect(app.queued).toEqual([{ job: 'later', payload: { n: 1 } }])
    expect(app.skipped).toEqual([{ reason: 'no person', row: { id: 7 } }])
    expect(app.progress).toEqual([[1, 2, 'Reading']])
    app.end()
    expect(globalThis.fetch).toBe(before)
    expect('posthog' in globalThis && posthog).toBeFalsy()
  })
})

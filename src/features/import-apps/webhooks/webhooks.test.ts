import { gzipSync } from 'node:zlib'
import { sign } from '@octokit/webhooks-methods'
import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { until } from '../../../../test/support/until.ts'

const WEBHOOK = 5
const CONFIG = `${CONFIGS}/1`
const SECRET = 'it is a secret'

interface Receiving extends TestApp {
  readonly address_: string
  send(
    body: unknown,
    headers?: Record<string, string>,
    options?: { method?: string; query?: string },
  ): Promise<{ status: number; text: string; headers: Headers }>
  /** Waits until this many requests are handled. */
  handled(count: number): Promise<void>
  stored(): Promise<{ event: string; distinct_id: string; properties: Record<string, unknown> }[]>
}

/** Starts with a config of the built-in app Webhook. */
async function startReceiving(settings: object = {}, hasWorker = true): Promise<Receiving> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: WEBHOOK, enabled: true })
  await api.patch(`${CONFIG}/settings`, { settings: { event: 'type', ...settings } })
  const { body } = await api.get(`${CONFIG}/address`)
  if (hasWorker) startTestWorker(api)
  return {
    ...api,
    address_: api.address(body.path),
    async send(sent, headers = {}, { method = 'POST', query = '' } = {}) {
      const text = typeof sent === 'string' || sent instanceof Buffer ? sent : JSON.stringify(sent)
      const response = await fetch(api.address(body.path) + query, {
        method,
        headers:
          headers['content-type'] === '' ? {} : { 'content-type': 'application/json', ...headers },
        ...(method !== 'GET' && { body: Buffer.from(text) }),
      })
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
    async handled(count) {
      await until(async () => {
        const { body } = await api.get(`${CONFIG}/requests?limit=1000`)
        const ended = body.results.filter(({ state }: { state: string }) => state !== 'waiting')
        return ended.length >= count
      })
    },
    async stored() {
      const events = await api.services.events.list(1, { limit: 1000, offset: 0 })
      return events.map(({ event, distinct_id, properties }) => ({
        event,
        distinct_id,
        properties: JSON.parse(properties as string),
      }))
    },
  } as Receiving
}

describe('a request of another service', () => {
  it('becomes an event', { tags: 'sql' }, async () => {
    const api = await startReceiving({
      ...{ distinct_id: 'data.email', timestamp: 'at', properties: 'data.amount' },
    })

    const data = { email: 'ada@example.com', amount: 12 }
    const { status, text } = await api.send({ type: 'paid', at: '2026-01-05T10:00:00Z', data })
    await api.handled(1)

    expect([status, text]).toEqual([200, '{"status":"ok"}'])
    expect(await api.stored()).toMatchObject([
      { event: 'paid', distinct_id: 'ada@example.com', properties: { 'data.amount': 12 } },
    ])
    const { results } = (await api.get(`${CONFIG}/requests`)).body
    expect(results).toMatchObject([{ method: 'POST', state: 'done', message: '' }])
    const readRun = async () => (await api.get(`${CONFIG}/runs/${results[0].run_id}`)).body
    await until(async () => (await readRun()).finished_at !== null)
    expect(await readRun()).toMatchObject({ name: 'onRequest', events: 1 })
  })

  it.each<[string, string | Buffer, Record<string, string>, string[]]>([
    ['a list', JSON.stringify([{ type: 'a' }, { type: 'b' }]), {}, ['a', 'b']],
    [
      'lines',
      '{"type":"a"}\n{"type":"b"}\n',
      { 'content-type': 'application/x-ndjson' },
      ['a', 'b'],
    ],
    ['a form', 'type=a&n=1', { 'content-type': 'application/x-www-form-urlencoded' }, ['a']],
    ['gzip', gzipSync('{"type":"a"}'), { 'content-encoding': 'gzip' }, ['a']],
    ['no content type', '{"type":"a"}', { 'content-type': '' }, ['a']],
    ['text', 'hello', { 'content-type': 'text/plain' }, ['type']],
  ])('can be %s', async (_, body, headers, names) => {
    const api = await startReceiving()

    expect((await api.send(body, headers)).status).toBe(200)
    await api.handled(1)

    expect((await api.stored()).map(({ event }) => event).sort()).toEqual(names)
  })

  it('can be in the address', async () => {
    const api = await startReceiving()

    await api.send('', {}, { method: 'GET', query: '?type=opened&n=1' })
    await api.handled(1)

    expect(await api.stored()).toMatchObject([{ event: 'opened', properties: { n: '1' } }])
  })

  it('is stored once, however often it is sent and replayed', { tags: 'sql' }, async () => {
    const api = await startReceiving({ verify: 'github', secret: SECRET })
    const body = JSON.stringify([{ type: 'a' }, { type: 'b' }])
    const headers = {
      'x-hub-signature-256': await sign(SECRET, body),
      'x-github-delivery': 'first',
    }

    expect((await api.send(body, headers)).status).toBe(200)
    expect((await api.send(body, headers)).status).toBe(200)
    await api.handled(1)
    const [{ id }] = (await api.get(`${CONFIG}/requests`)).body.results
    const replayed = await api.post(`${CONFIG}/requests/${id}/replay`)
    await api.handled(1)
    await api.send(body, { ...headers, 'x-github-delivery': 'second' })
    await api.handled(2)

    expect(replayed.body).toEqual({ replayed: 1 })
    expect((await api.get(`${CONFIG}/requests`)).body.count).toBe(2)
    expect((await api.stored()).map(({ event }) => event).sort()).toEqual(['a', 'a', 'b', 'b'])
  })

  it('waits while no worker runs, and is handled in order', { tags: 'sql' }, async () => {
    const api = await startReceiving({}, false)
    for (let n = 0; n < 20; n++) await api.send({ type: 'counted', n })

    expect((await api.get(`${CONFIG}/requests?state=waiting`)).body.count).toBe(20)
    startTestWorker(api)
    await api.handled(20)

    expect(await api.stored()).toHaveLength(20)
    expect((await api.get(`${CONFIG}/runs`)).body.count).toBe(1)
  })

  it('waits again if its event cannot be stored', async () => {
    const api = await startReceiving({}, false)
    const outage = { isOn: true, refusals: 0 }
    const refuse = async () => {
      outage.refusals++
      throw new Error('The event store is away.')
    }
    const events = new Proxy(api.services.events, {
      get(store, name) {
        if (name === 'append' && outage.isOn) return refuse
        const value = Reflect.get(store, name, store)
        return typeof value === 'function' ? value.bind(store) : value
      },
    })
    startTestWorker(api, { events })

    await api.send({ type: 'a' })
    await until(() => outage.refusals > 0)
    expect((await api.get(`${CONFIG}/requests?state=waiting`)).body.count).toBe(1)
    outage.isOn = false
    await api.handled(1)

    expect(await api.stored()).toMatchObject([{ event: 'a' }])
  })

  it('that the app fails on does not stop the others, and says why', async () => {
    const api = await startReceiving({ distinct_id: 'person' })

    await api.send({ type: 'bad' })
    await api.send({ type: 'good', person: 'ada' })
    await api.handled(2)

    const { results } = (await api.get(`${CONFIG}/requests`)).body
    expect(results).toMatchObject([
      { state: 'done' },
      { state: 'failed', message: expect.stringContaining('no person at "person"') },
    ])
    expect(await api.stored()).toHaveLength(1)
  })

  it('is tested without storing anything', async () => {
    const api = await startReceiving()
    await api.send({ type: 'a' })
    await api.handled(1)
    const before = await api.stored()
    const [{ id }] = (await api.get(`${CONFIG}/requests`)).body.results

    const { body: run } = await api.post(`${CONFIG}/requests/${id}/test`)
    await until(async () => (await api.get(`${CONFIG}/runs/${run.id}`)).body.state === 'succeeded')

    const { body } = await api.get(`${CONFIG}/runs/${run.id}/preview`)
    expect(body.events).toMatchObject([{ event: 'a' }])
    expect(await api.stored()).toEqual(before)
  })
})

describe('a request is refused', () => {
  it.each<[number, string, object, Record<string, string>, { method?: string; query?: string }]>([
    [401, 'without a signature', { verify: 'github', secret: SECRET }, {}, {}],
    [401, 'if the secret is missing', { verify: 'stripe' }, {}, {}],
    [413, 'if it is too large', {}, { 'x-large': '1' }, {}],
    [415, 'in an unknown encoding', {}, { 'content-encoding': 'br' }, {}],
    [415, 'if it is not packed as it says', {}, { 'content-encoding': 'gzip' }, {}],
  ])('with %d %s', async (expected, _, settings, headers, options) => {
    const api = await startReceiving(settings, false)
    const body = headers['x-large'] ? 'x'.repeat(1024 * 1024 + 1) : '{"type":"a"}'

    const { status } = await api.send(body, headers, options)

    expect(status).toBe(expected)
    expect((await api.get(`${CONFIG}/requests`)).body.count).toBe(0)
  })

  it('by an unknown address, a disabled config and a config in the trash', async () => {
    const api = await startReceiving({}, false)

    expect((await fetch(api.address('/in/unknown'), { method: 'POST' })).status).toBe(404)
    await api.patch(CONFIG, { enabled: false })
    expect((await api.send({})).status).toBe(404)
    await api.patch(CONFIG, { deleted: true })
    expect((await api.send({})).status).toBe(404)
  })

  it('by another method', async () => {
    const api = await startReceiving({}, false)

    const response = await fetch(api.address_, { method: 'DELETE' })

    expect(response.status).toBe(405)
  })
})

describe('an address', () => {
  it('can be replaced, at once or after a while', { tags: 'sql' }, async () => {
    const api = await startReceiving({}, false)

    const { body } = await api.post(`${CONFIG}/address/rotate`, { grace_seconds: 60 })

    expect(api.address(body.path)).not.toBe(api.address_)
    expect(body.previous).toHaveLength(1)
    expect((await api.send({})).status).toBe(200)
    await api.post(`${CONFIG}/address/rotate`, {})
    expect((await fetch(api.address(body.path), { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('follows each change of its config, however many requests came before', {
    tags: 'sql',
  }, async () => {
    const api = await startReceiving({}, false)
    const statuses: number[] = []
    const send = async (authorization = '') => {
      statuses.push((await api.send({}, { authorization })).status)
    }
    await send()
    await send()

    await api.patch(`${CONFIG}/settings`, { settings: { verify: 'token', secret: 'first' } })
    await send()
    await send('first')
    await api.patch(`${CONFIG}/settings`, { settings: { secret: 'second' } })
    await send('first')
    await send('second')
    await api.patch(CONFIG, { enabled: false })
    await send('second')

    await api.patch(CONFIG, { enabled: true })
    await send('second')
    await api.post(`${CONFIG}/address/rotate`, {})
    await send('second')

    expect(statuses).toEqual([200, 200, 401, 200, 401, 200, 404, 200, 404])
  })

  it('holds requests while the config is disabled, if it is told to', { tags: 'sql' }, async () => {
    const api = await startReceiving({}, false)
    const { body } = await api.patch(`${CONFIG}/address`, { while_disabled: 'hold' })
    await api.patch(CONFIG, { enabled: false })

    expect(body.while_disabled).toBe('hold')
    expect((await api.send({ type: 'held' })).status).toBe(200)
    await api.patch(CONFIG, { enabled: true })
    startTestWorker(api)
    await api.handled(1)

    expect(await api.stored()).toMatchObject([{ event: 'held' }])
  })

  it('is of no use for an app that receives nothing', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 2 })

    expect((await api.get(`${CONFIG}/address`)).status).toBe(409)
  })

  it.each([
    ['Slack', { type: 'url_verification', challenge: 'abc' }, '', 'abc'],
    ['Microsoft', {}, '?validationToken=a%20b', 'a b'],
  ])('responds to the challenge of %s', async (service, body, query, expected) => {
    const api = await startReceiving(
      service === 'Slack' ? { verify: 'slack', secret: SECRET } : {},
      false,
    )
    const text = JSON.stringify(body)
    const at = Math.floor(Date.now() / 1000)
    const { createHmac } = await import('node:crypto')
    const signature = createHmac('sha256', SECRET).update(`v0:${at}:${text}`).digest('hex')
    const headers = { 'x-slack-request-timestamp': `${at}`, 'x-slack-signature': `v0=${signature}` }

    const response = await api.send(text, headers, { query })

    expect([response.status, response.text]).toEqual([200, expected])
    expect((await api.get(`${CONFIG}/requests`)).body.count).toBe(0)
  })

  it('responds to Meta, which sends the secret', async () => {
    const api = await startReceiving({ verify: 'github', secret: SECRET }, false)
    const ask = (secret: string) =>
      api.send(
        '',
        {},
        {
          method: 'GET',
          query: `?hub.mode=subscribe&hub.challenge=77&hub.verify_token=${encodeURIComponent(secret)}`,
        },
      )

    expect(await ask(SECRET)).toMatchObject({ status: 200, text: '77' })
    expect((await ask('wrong')).status).toBe(401)
  })
})

describe('the details of a request', () => {
  it('show everything but its secrets, and are encrypted in the database', async () => {
    const api = await startReceiving({ verify: 'token', secret: SECRET, header: 'x-shop' }, false)
    await api.send({ type: 'a' }, { 'x-shop': SECRET, cookie: 'a=b', 'x-kind': 'test' })
    const [{ id }] = (await api.get(`${CONFIG}/requests`)).body.results

    const { body } = await api.get(`${CONFIG}/requests/${id}`)

    expect(body).toMatchObject({ body: '{"type":"a"}', headers: { 'x-kind': 'test' } })
    expect(body.headers['x-shop']).toBe('****************')
    expect(body.headers.cookie).toBe('****************')
    const rows = await api.db.selectFrom('webhook_requests').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('x-kind')
  })

  it('are unknown in other projects', async () => {
    const api = await startReceiving({}, false)
    await api.send({ type: 'a' })
    const other = await api.createProject()
    const at = (path: string) => api.path(path, other)

    expect((await api.get(at(`${CONFIG}/requests`))).status).toBe(404)
    expect((await api.get(at(`${CONFIG}/requests/1`))).status).toBe(404)
    expect((await api.get(at(`${CONFIG}/address`))).status).toBe(404)
    expect((await api.post(at(`${CONFIG}/requests/replay`), {})).status).toBe(404)
  })
})

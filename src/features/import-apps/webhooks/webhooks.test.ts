import { deflateSync, gzipSync } from 'node:zlib'
import { sign } from '@octokit/webhooks-methods'
import { describe, expect, it } from 'vitest'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { CONFIG, SECRET, startReceiving } from '../../../../test/support/app/receiving.ts'
import { until } from '../../../../test/support/until.ts'

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
    ['deflate', deflateSync('{"type":"a"}'), { 'content-encoding': 'deflate' }, ['a']],
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

  it('waits while no worker runs, and causes one run', { tags: 'sql' }, async () => {
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

import { afterEach, describe, expect, it, vi } from 'vitest'
import { sendBytes } from '../../test/contract/raw.ts'
import {
  CONFIGS,
  startApp,
  type TestApp,
  type TestResponse,
  useApp,
} from '../../test/support/app/app.ts'
import { OWNER } from '../../test/support/app/owner.ts'
import { createDashboard, pathOf } from '../../test/support/data/dashboards.ts'

const HOUR_MS = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

/** Moves the clock of the server, but no timer. */
function passTime(ms: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms })
}

/** Sends requests on one connection without waiting for responses, and returns their bodies. */
async function pipeline(api: TestApp, paths: readonly string[]): Promise<string[]> {
  const toRequest = (path: string, index: number) =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${OWNER.apiKey}`,
      ...(index === paths.length - 1 ? ['Connection: close'] : []),
      '\r\n',
    ].join('\r\n')
  const { status, text } = await sendBytes(api.url, paths.map(toRequest).join(''))
  expect(status).toBe(200)
  return text.split(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/s)
}

const withoutId = ({ headers }: { headers: Headers }) => {
  const { 'x-request-id': id, date, ...rest } = Object.fromEntries(headers)
  return { id, rest }
}

describe('a repeated read', { tags: 'sql' }, () => {
  it('has the same status, headers and body, and an ID of its own', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'a' })
    const first = await api.get(pathOf(id))

    const again = [await api.get(pathOf(id)), await api.get(pathOf(id))]

    const ids = [first, ...again].map((response) => withoutId(response).id)
    expect(new Set(ids).size).toBe(3)
    for (const response of again) {
      expect(response.status).toBe(200)
      expect(response.text).toBe(first.text)
      expect(withoutId(response).rest).toEqual(withoutId(first).rest)
    }
  })

  it('is a 304 as long as the entity tag is current', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'a' })
    const headers = { 'if-none-match': (await api.get(pathOf(id))).headers.get('etag') ?? '' }
    const first = await api.get(pathOf(id), headers)

    const again = await api.get(pathOf(id), headers)
    await api.patch(pathOf(id), { name: 'b' })
    const changed = await api.get(pathOf(id), headers)

    expect([first.status, again.status, changed.status]).toEqual([304, 304, 200])
    expect(withoutId(again).rest).toEqual(withoutId(first).rest)
    expect(changed.body.name).toBe('b')
  })

  it('keeps the ID that the client gives', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    await api.get(pathOf(id))

    const responses = [1, 2].map((n) => api.get(pathOf(id), { 'x-request-id': `mine-${n}` }))

    const ids = (await Promise.all(responses)).map(({ headers }) => headers.get('x-request-id'))
    expect(ids).toEqual(['mine-1', 'mine-2'])
  })

  it('is refused once its key has expired', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const expiresAt = new Date(Date.now() + HOUR_MS).toISOString()
    const member = await api.as({ expiresAt })
    const before = [await member.get(pathOf(id)), await member.get(pathOf(id))]

    passTime(2 * HOUR_MS)

    expect(before.map(({ status }) => status)).toEqual([200, 200])
    expect((await member.get(pathOf(id))).status).toBe(401)
  })

  it('is refused once its session has ended', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    const session = await api.withSession()
    const before = [await session.get(pathOf(id)), await session.get(pathOf(id))]

    await session.post('/api/sign_out')

    expect(before.map(({ status }) => status)).toEqual([200, 200])
    expect((await session.get(pathOf(id))).status).toBe(401)
  })

  it('contains counts of the current minute', async () => {
    const api = await useApp()
    const tags = [await api.get(CONFIGS), await api.get(CONFIGS)].map(readTag)

    passTime(61_000)

    expect(tags[0]).toBe(tags[1])
    expect(readTag(await api.get(CONFIGS))).not.toBe(tags[0])
  })

  it('records that its key is in use', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const member = await api.as({})
    await member.get(pathOf(id))
    const readUse = () =>
      api.db
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('user_id', '=', member.userId)
        .executeTakeFirstOrThrow()
    await vi.waitFor(async () => expect((await readUse()).last_used_at).not.toBeNull())
    const before = await readUse()

    passTime(2 * HOUR_MS)
    await member.get(pathOf(id))

    await vi.waitFor(async () => expect(await readUse()).not.toEqual(before))
  })

  it('comes in the order of the requests on a connection', async () => {
    const api = await useApp()
    const [a, b] = [
      await createDashboard(api, { name: 'a' }),
      await createDashboard(api, { name: 'b' }),
    ]
    const [pathA, pathB] = [api.path(pathOf(a.id)), api.path(pathOf(b.id))]
    await pipeline(api, [pathA])

    const bodies = await pipeline(api, [pathA, pathB, pathA, `${pathB}?x=1`, pathA, pathA])

    const names = bodies.map((body) => JSON.parse(body).name)
    expect(names).toEqual(['a', 'b', 'a', 'b', 'a', 'a'])
  })

  it('closes the connection when the server is about to stop', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    await api.get(pathOf(id))

    api.app.announceStop()
    const last = await api.get(pathOf(id))

    expect([last.status, last.headers.get('connection')]).toEqual([200, 'close'])
  })

  it.each([
    ['a dashboard', pathOf],
    ['a list', () => 'dashboards'],
    ['a list of insights', () => 'insights'],
  ])('shows each change of %s, with its entity tag', async (_, toPath) => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Numbers 0' })
    const headers = [undefined, { 'cache-control': 'no-cache' }]
    const readAll = () => Promise.all(headers.map((each) => api.get(toPath(id), each)))
    const tags = new Set((await readAll()).map(readTag))

    for (const n of [1, 2, 3]) {
      await api.post('insights', { name: `Insight ${n}`, dashboards: [id] })
      await api.patch(pathOf(id), { name: `Numbers ${n}` })

      const [cached, fresh] = (await readAll()) as [TestResponse, TestResponse]

      tags.add(readTag(cached))
      expect(cached.text).toContain(toPath(id) === 'dashboards' ? `Numbers ${n}` : `Insight ${n}`)
      expect(cached.text).toBe(fresh.text)
      expect(withoutId(cached).rest).toEqual(withoutId(fresh).rest)
      expect(cached.headers.get('content-length')).toBe(String(Buffer.byteLength(cached.text)))
    }
    expect(tags.size).toBe(4)
  })

  it('is refused like the first once what it reads is out of reach', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const member = await api.as({})
    const read = () => member.get(pathOf(id), { 'cache-control': 'no-cache' })
    const before = [await read(), await read()]

    await api.delete(`members/${member.uuid}`)

    expect(before.map(({ status }) => status)).toEqual([200, 200])
    expect((await read()).status).toBe(403)
  })

  it('is counted like the first', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    const readCount = async () => {
      const { text } = await api.get('/metrics')
      return {
        ofStatus: find(
          text,
          /^hedgerow_http_request_duration_seconds_count\{status="200"\} (\d+)/m,
        ),
        ofRoute: find(
          text,
          /^hedgerow_http_route_duration_seconds_count\{route="\/api\/environments\/:project_id\/dashboards"\} (\d+)/m,
        ),
        hits: find(text, /^hedgerow_cache_reads_total\{cache="responses",result="hit"\} (\d+)/m),
      }
    }
    await api.get(pathOf(id))
    const before = await readCount()

    for (let read = 0; read < 3; read++) await api.get(pathOf(id))

    const after = await readCount()
    expect(after.ofRoute - before.ofRoute).toBe(3)
    expect(after.ofStatus - before.ofStatus).toBe(4) // and /metrics itself
    expect(after.hits - before.hits).toBe(3)
  })
})

const readTag = ({ headers }: { headers: Headers }) => headers.get('etag')

const find = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

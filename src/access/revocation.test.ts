import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openServices } from '#server/services.ts'
import { type Client, CONFIGS, cookieOf, type TestApp, useApp } from '../../test/support/app/app.ts'
import { OWNER } from '../../test/support/app/owner.ts'
import { storageOptions } from '../../test/support/app/storage.ts'
import { createDashboard, pathOf } from '../../test/support/data/dashboards.ts'
import { newEvent } from '../../test/support/data/events.ts'
import { visits } from '../../test/support/data/visits.ts'
import { openStream } from '../../test/support/streams.ts'
import { until } from '../../test/support/until.ts'
import { revokeApiKey } from '../features/accounts/api-keys/api-keys.ts'

const SECONDS = 20
const LIVE_EVENTS = 'events/live'

async function watch(url: string, headers: Record<string, string>) {
  const { response, text, isEnded } = await openStream(url, headers)
  expect(response.status).toBe(200)
  return { text, untilEnded: () => until(isEnded, SECONDS) }
}

/** Returns the URL of the stream that polls most often. */
async function toRunStream(api: TestApp): Promise<string> {
  const { body } = await api.post(CONFIGS, { plugin: 4 })
  return api.address(`${CONFIGS}/${body.id}/live`)
}

const keyOf = (key: string) => ({ authorization: `Bearer ${key}` })

const ownKeyPath = async (client: Client) =>
  `/api/personal_api_keys/${(await client.get('/api/personal_api_keys/@current')).body.id}`

const deleteOwnKey = async (client: Client) => client.delete(await ownKeyPath(client))

type Member = Awaited<ReturnType<TestApp['as']>>

const REVOCATIONS: Record<string, (api: TestApp, member: Member) => Promise<{ status: number }>> = {
  'the key is deleted': (_, member) => deleteOwnKey(member),
  'the key is rolled': async (_, member) => member.post(`${await ownKeyPath(member)}/roll`),
  'the key loses the scope': async (_, member) =>
    member.patch(await ownKeyPath(member), { scopes: ['dashboard:read'] }),
  'the membership ends': (api, { uuid }) => api.delete(`members/${uuid}`),
  'the user leaves the organization': (api, { uuid }) =>
    api.delete(`/api/organizations/@current/members/${uuid}`),
  'the project is deleted': async (api) => {
    const { body } = await api.get('')
    return api.delete(`/api/projects/${api.projectId}?confirm=${encodeURIComponent(body.name)}`)
  },
}

describe('a live stream', () => {
  it.each(Object.keys(REVOCATIONS))('ends when %s', async (name) => {
    const api = await useApp()
    const member = await api.as({})
    const stream = await watch(await toRunStream(api), keyOf(member.key))

    const { status } = (await REVOCATIONS[name]?.(api, member)) ?? {}

    expect(status).toBeLessThan(300)
    await stream.untilEnded()
  })

  it('ends when the user signs out', async () => {
    const api = await useApp()
    const session = await api.withSession()
    const stream = await watch(api.address(LIVE_EVENTS), cookieOf(session.token))

    await session.post('/api/sign_out')

    await stream.untilEnded()
  })

  it('ends when its key expires', async () => {
    const api = await useApp()
    const url = await toRunStream(api)
    // on a busy machine, a key may expire before its stream is open
    const stream = await until(async () => {
      const { key } = await api.as({ expiresAt: new Date(Date.now() + 1000).toISOString() })
      const opened = await openStream(url, keyOf(key))
      return opened.response.status === 200 && opened
    })

    await until(stream.isEnded, SECONDS)
  })

  it("continues when another member's key is deleted", async () => {
    const api = await useApp()
    const [staying, leaving] = [await api.as({}), await api.as({})]
    const stream = await watch(api.address(LIVE_EVENTS), keyOf(staying.key))
    const gone = await watch(api.address(LIVE_EVENTS), keyOf(leaving.key))

    await deleteOwnKey(leaving)
    await gone.untilEnded()
    const timestamp = new Date().toISOString()
    await api.services.events.append(api.projectId, [newEvent({ event: 'after', timestamp })])

    await until(() => stream.text().includes('"after"'), SECONDS)
    expect(gone.text()).not.toContain('"after"')
  })

  it('stays in its project when the user switches the current project', async () => {
    const api = await useApp()
    const other = await api.createProject()
    const member = await api.as({ memberOf: [api.projectId, other] })
    const path = '/api/projects/@current/events/live'
    const stream = await watch(api.url + path, keyOf(member.key))

    await member.patch('/api/users/@me', { set_current_team: other })
    await deleteOwnKey(await api.as({}))
    const timestamp = new Date().toISOString()
    await api.services.events.append(api.projectId, [newEvent({ event: 'after', timestamp })])

    await until(() => stream.text().includes('"after"'), SECONDS)
  })

  it('ends for tiles when its key is deleted', async () => {
    const { api, dashboard, holdQueries } = await startWithTile()
    const member = await api.as({})
    const { started } = holdQueries()
    const path = `${pathOf(dashboard.id)}/stream_tiles`
    const stream = await watch(api.address(path), keyOf(member.key))
    await started

    await deleteOwnKey(member)

    await stream.untilEnded()
    expect(stream.text()).not.toContain('event: complete')
  })

  it('ends when another server revokes the key', { tags: 'sql' }, async (context) => {
    if (process.env.TEST_DATABASE !== 'postgres') context.skip('SQLite has one server')
    const config = { ...readConfig({}), logLevel: 'silent' as const, ...(await storageOptions()) }
    const open = async () => {
      const services = await openServices(config, () => {})
      onTestFinished(() => services.close())
      return services
    }
    const [first, second] = [await open(), await open()]
    const app = buildApp({ services: first, config })
    onTestFinished(() => app.close())
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const stream = await watch(`${url}/api/projects/1/events/live`, keyOf(OWNER.apiKey))

    const { db } = second.storage
    const { id } = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow()
    await revokeApiKey(db, id)

    await stream.untilEnded()
  })
})

async function startWithTile() {
  const api = await useApp()
  const tile = { insight: { name: 'Visits', query: visits({}) } }
  const dashboard = await createDashboard(api, { name: 'Held', tiles: [tile] })
  /** Blocks reads of events until `release`. */
  const holdQueries = () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    onTestFinished(() => release())
    const { events } = api.services
    for (const method of ['query', 'list'] as const) {
      const read = events[method].bind(events) as (...args: unknown[]) => Promise<never>
      const spy = vi.spyOn(events, method).mockImplementation(async (...args: unknown[]) => {
        start()
        await held
        return read(...args)
      })
      onTestFinished(() => spy.mockRestore())
    }
    return { started, release }
  }
  const insight = dashboard.tiles[0].insight.short_id
  return { api, dashboard, insight, holdQueries }
}

type Held = Awaited<ReturnType<typeof startWithTile>>

const WORK: Record<string, (client: Client, held: Held) => ReturnType<Client['get']>> = {
  'a query': (client) => client.post('query', { query: visits({}) }),
  'a list of events': (client) => client.get('events'),
  'an insight': (client, { insight }) => client.get(`insights/${insight}?refresh=blocking`),
  'a dashboard': (client, { dashboard }) =>
    client.get(`${pathOf(dashboard.id)}?refresh=force_blocking`),
  "an insight's export": (client, { insight }) => client.get(`insights/${insight}/export.csv`),
  "a dashboard's export": (client, { dashboard }) =>
    client.get(`${pathOf(dashboard.id)}/export.json`),
}

describe('a slow request', () => {
  it.each(['a query', "a dashboard's export"])(
    'for %s ends when its key is deleted',
    async (name) => {
      const held = await startWithTile()
      const member = await held.api.as({})
      const { started } = held.holdQueries()
      const pending = WORK[name]?.(member, held)
      await started

      await deleteOwnKey(member)

      let response: Awaited<typeof pending>
      pending?.then((received) => {
        response = received
      })
      await until(() => response !== undefined, SECONDS)
      expect(response).toMatchObject({ status: 401, body: { code: 'authentication_failed' } })
    },
  )

  it.each(Object.keys(WORK))('for %s delivers nothing to a removed member', async (name) => {
    const held = await startWithTile()
    const member = await held.api.as({})
    const { started, release } = held.holdQueries()
    const pending = WORK[name]?.(member, held)
    await started

    await held.api.delete(`members/${member.uuid}`)
    release()

    const { status, body } = (await pending) ?? {}
    expect([status, body.detail]).toEqual([403, "You don't have access to the project."])
  })

  it('continues when another member loses access', async () => {
    const held = await startWithTile()
    const [member, other] = [await held.api.as({}), await held.api.as({})]
    const { started, release } = held.holdQueries()
    const pending = WORK['a query']?.(member, held)
    await started

    await deleteOwnKey(other)
    release()

    expect((await pending)?.status).toBe(200)
  })

  it('for a public file ends when the link is disabled', async () => {
    const { api, dashboard, holdQueries } = await startWithTile()
    const sharing = `${pathOf(dashboard.id)}/sharing`
    const { body: link } = await api.patch(sharing, { enabled: true })
    const { started, release } = holdQueries()
    const pending = fetch(`${api.url}/shared/${link.access_token}.csv`)
    await started

    await api.patch(sharing, { enabled: false })
    release()

    expect((await pending).status).toBe(404)
  })
})

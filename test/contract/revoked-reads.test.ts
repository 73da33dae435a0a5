import { describe, expect, it } from 'vitest'
import { type Client, CONFIGS, cookieOf, startApp, type TestApp } from '../support/app/app.ts'
import { startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { DATABASE, storageOptions } from '../support/app/storage.ts'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { newEvent } from '../support/data/events.ts'
import { visits } from '../support/data/visits.ts'

type Headers = Record<string, string>

/** A word in everything that is read. No refused response contains it. */
const MARK = 'Walnut'

/** Starts a server, and on PostgreSQL a second process, which reads what the first one changes. */
async function start() {
  const options = await storageOptions()
  const api = await startApp(undefined, {}, options)
  const dashboard = await createDashboard(api, {
    name: MARK,
    tiles: [{ insight: { name: MARK, query: visits({ series: [{ event: MARK }] }) } }],
  })
  await api.services.events.append(1, [newEvent({ event: MARK, distinct_id: MARK })])
  await api.post('annotations', { content: MARK, date_marker: '2026-01-01T00:00:00Z' })
  await api.post('comments', { content: MARK, scope: 'Dashboard', item_id: dashboard.id })
  await api.post(CONFIGS, { plugin: 4, name: MARK })
  const other = DATABASE === 'postgres' ? (await startServer(toEnv(options))).url : api.url
  return { api, dashboard, other }
}

type Started = Awaited<ReturnType<typeof start>>

interface Read {
  readonly path: string
  readonly body?: object
  readonly headers?: Headers
}

const readByTool = ({ dashboard }: Started): Read => ({
  path: '/mcp',
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'dashboard-get', arguments: { id: dashboard.id } },
  },
  headers: {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
    'x-posthog-project-id': '1',
  },
})

/** Every kind of read of a project. */
function listReads({ dashboard, api }: Started): Read[] {
  const insight = dashboard.tiles[0].insight.short_id
  const paths = [
    ...['dashboards', pathOf(dashboard.id), `${pathOf(dashboard.id)}/export.json`],
    ...[`${pathOf(dashboard.id)}/export.csv`, `${pathOf(dashboard.id)}/sharing`],
    ...['insights', `insights/${insight}`, `insights/${insight}/export.csv`],
    ...[
      'events',
      'events/live',
      'persons',
      'annotations',
      'comments',
      CONFIGS,
      'activity_log',
      'members',
    ],
    ...['event_definitions', 'dashboard_templates', 'cohorts', 'alerts', 'subscriptions', ''],
  ]
  return [
    ...paths.map((path) => ({ path: api.path(path) })),
    { path: api.path('query'), body: { query: visits({ series: [{ event: MARK }] }) } },
  ]
}

async function read(url: string, { path, body, headers }: Read, credential: Headers, etag = '') {
  const control = new AbortController()
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...credential,
      ...headers,
      ...(body && { 'content-type': 'application/json' }),
      ...(etag && { 'if-none-match': etag }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: control.signal,
  })
  const isStream = response.headers.get('content-type')?.includes('event-stream')
  const text = isStream && response.status === 200 && path !== '/mcp' ? '' : await response.text()
  control.abort()
  return { status: response.status, text, etag: response.headers.get('etag') ?? '' }
}

/** Reads everything before and after a right is taken away, the second time as a browser that has it cached. */
async function expectRefusal(
  { other }: Started,
  reads: readonly Read[],
  credential: Headers,
  revoke: () => Promise<{ readonly status: number }>,
  expected: readonly number[] = [401, 403, 404],
): Promise<void> {
  const before = []
  for (const one of reads) before.push({ ...one, ...(await read(other, one, credential)) })
  for (const { path, status, text } of before) {
    const expectedBefore = path.endsWith('/state') ? 204 : 200
    expect({ path, status, text }).toMatchObject({ status: expectedBefore })
  }
  expect(before.some(({ text }) => text.includes(MARK))).toBe(true)

  expect((await revoke()).status).toBeLessThan(300)

  for (const { etag, ...one } of before) {
    const { status, text } = await read(other, one, credential, etag)
    expect(expected, `${one.path} responded ${status}`).toContain(status)
    expect(text, one.path).not.toContain(MARK)
  }
}

const keyOf = (key: string): Headers => ({ authorization: `Bearer ${key}` })
const ownKeyPath = async (client: Client) =>
  `/api/personal_api_keys/${(await client.get('/api/personal_api_keys/@current')).body.id}`

const sessionOf = ({ other }: Started, token: string) => ({ ...cookieOf(token), origin: other })

type Member = Awaited<ReturnType<TestApp['as']>>
type Revoke = (api: TestApp, member: Member) => Promise<{ status: number }>

const RIGHTS: Record<string, readonly [Revoke, number]> = {
  'a deleted key': [async (_, member) => member.delete(await ownKeyPath(member)), 401],
  'a rolled key': [async (_, member) => member.post(`${await ownKeyPath(member)}/roll`), 401],
  'a key without its scopes': [
    async (_, member) =>
      member.patch(await ownKeyPath(member), { scopes: ['personal_api_key:read'] }),
    403,
  ],
  'a key for another project': [
    async (_, member) => member.patch(await ownKeyPath(member), { scoped_teams: [2] }),
    403,
  ],
  'the key of a removed member': [(api, { uuid }) => api.delete(`members/${uuid}`), 403],
  'the key of someone who left': [
    (api, { uuid }) => api.delete(`/api/organizations/@current/members/${uuid}`),
    401,
  ],
}

describe('the next read', () => {
  it('is refused with a key that lost its right, on every server', async () => {
    const started = await start()
    const { api } = started
    await api.createProject()
    for (const [name, [revoke, status]] of Object.entries(RIGHTS)) {
      const member = await api.as({ memberOf: [1, 2] })
      // any key may read the project itself; calls of tools report what their route responds
      const reads = listReads(started).filter(({ path }) => status !== 403 || path !== api.path(''))

      await expectRefusal(started, reads, keyOf(member.key), () => revoke(api, member), [status])

      const tool = await read(started.other, readByTool(started), keyOf(member.key))
      expect(tool.text, name).not.toContain(MARK)
    }
  })

  it('is allowed as long as nothing is taken away', async () => {
    const started = await start()
    const { key } = await started.api.as({ memberOf: [1] })

    for (const one of [...listReads(started), readByTool(started)]) {
      const { status, text } = await read(started.other, one, keyOf(key))
      expect(status, one.path).toBe(200)
      if (one.path === '/mcp') expect(text).toContain(MARK)
    }
  })

  it('is refused to a member who became a viewer, except of what viewers see', async () => {
    const started = await start()
    const { api } = started
    const { key, uuid } = await api.as({ memberOf: [1] })
    const open = /\/(dashboards|insights|annotations|comments|members)(\/[^/]+)?$|projects\/1$/
    const reads = listReads(started).filter(({ path }) => !open.test(path))
    const makeViewer = () => api.patch(`members/${uuid}`, { access_level: 'viewer' })

    await expectRefusal(started, reads, keyOf(key), makeViewer, [403])

    expect(reads.map(({ path }) => path)).toContain(api.path(`${pathOf(1)}/export.csv`))
    const kept = await read(started.other, { path: api.path(pathOf(1)) }, keyOf(key))
    expect(kept.text).toContain(MARK)
    expect(JSON.parse(kept.text).effective_privilege_level).toBe(21)
  })

  it('is refused to a viewer who can no longer export, or is removed', async () => {
    const started = await start()
    const { api, dashboard } = started
    await api.patch('', { viewers_can_export: true })
    const { key, uuid } = await api.as({ access: 'viewer' })
    const path = api.path(pathOf(dashboard.id))
    const exports = ['csv', 'json', 'png'].map((end) => ({ path: `${path}/export.${end}` }))
    const forbid = () => api.patch('', { viewers_can_export: false })

    await expectRefusal(started, exports, keyOf(key), forbid, [403])

    const reads = ['dashboards', pathOf(dashboard.id), 'insights', 'comments', 'members']
    const remove = () => api.delete(`members/${uuid}`)
    const paths = reads.map((each) => ({ path: api.path(each) }))
    await expectRefusal(started, paths, keyOf(key), remove, [403])
  })

  it('is refused in a project that an admin only reached by level', async () => {
    const started = await start()
    const admin = await started.api.as({ level: 8, memberOf: [] })
    const demote = () =>
      started.api.patch(`/api/organizations/@current/members/${admin.uuid}`, { level: 1 })

    await expectRefusal(started, listReads(started), keyOf(admin.key), demote)
  })

  it('is refused in a session that ended', async () => {
    const started = await start()
    const { api } = started
    const leaving = await api.withSession()
    const staying = await api.withSession()
    const reads = listReads(started)

    await expectRefusal(
      started,
      reads,
      sessionOf(started, leaving.token),
      () => leaving.post('/api/sign_out'),
      [401],
    )
    const another = await api.withSession()
    const changePassword = () =>
      staying.post('/api/users/@me/password', {
        current_password: OWNER.password,
        new_password: 'correct horse battery',
      })
    await expectRefusal(started, reads, sessionOf(started, another.token), changePassword, [401])
  })

  it('is refused in a project that is deleted', async () => {
    const started = await start()
    const { api } = started
    const member = await api.as({ memberOf: [1] })
    await api.createProject()
    const { body } = await api.get('')
    const remove = () => api.delete(`/api/projects/1?confirm=${encodeURIComponent(body.name)}`)

    await expectRefusal(started, listReads(started), keyOf(member.key), remove)
  })

  it.each<[string, (api: TestApp, path: string) => Promise<{ status: number }>]>([
    ['is disabled', (api, path) => api.patch(`${path}/sharing`, { enabled: false })],
    ['leads to the trash', (api, path) => api.patch(path, { deleted: true })],
  ])('of a public link that %s is refused', async (_, revoke) => {
    const started = await start()
    const { api, dashboard } = started
    const path = pathOf(dashboard.id)
    const { body } = await api.patch(`${path}/sharing`, { enabled: true })
    const reads = ['', '.json', '.csv', '.png', '.pdf', '/state'].map((end) => ({
      path: `/shared/${body.access_token}${end}`,
    }))
    const embedded = { path: `/embedded/${body.access_token}` }

    await expectRefusal(started, [...reads, embedded], {}, () => revoke(api, path), [404])
  })
})

describe('the next change', () => {
  it('is refused on every server once only others may edit', async () => {
    const { api, dashboard, other } = await start()
    const path = pathOf(dashboard.id)
    const member = await api.as({ memberOf: [1] })
    const edit = async () => {
      const response = await fetch(other + api.path(path), {
        method: 'PATCH',
        headers: { ...keyOf(member.key), 'content-type': 'application/json' },
        body: '{"description":"edited"}',
      })
      return response.status
    }
    const statuses = [await edit()]

    await api.patch(path, { restriction_level: 37 })
    statuses.push(await edit())
    await api.post(`${path}/collaborators`, { user_uuid: member.uuid, level: 37 })
    statuses.push(await edit())
    await api.delete(`${path}/collaborators/${member.uuid}`)
    statuses.push(await edit())

    expect(statuses).toEqual([200, 403, 200, 403])
  })

  it('with an invite is refused once it is withdrawn', async () => {
    const { api, other } = await start()
    const invites = '/api/organizations/@current/invites'
    const { body } = await api.post(invites, { level: 1 })
    const token = body.link.split('/').at(-1)
    const look = async () => (await fetch(`${other}/api/invites/${token}`)).status

    const before = await look()
    await api.delete(`${invites}/${body.id}`)

    expect([before, await look()]).toEqual([200, 404])
  })
})

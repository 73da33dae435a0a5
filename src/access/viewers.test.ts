import { describe, expect, it } from 'vitest'
import { type NewCaller, type TestApp, useApp } from '../../test/support/app/app.ts'
import { callTool, connectMcp, listToolNames } from '../../test/support/app/mcp.ts'
import { createDashboard, pathOf } from '../../test/support/data/dashboards.ts'
import { addVisits, daysAgo, numberOf, visits } from '../../test/support/data/visits.ts'
import { openStream } from '../../test/support/streams.ts'
import { until } from '../../test/support/until.ts'

const BLOCKING = '?refresh=blocking'

/** Creates a dashboard that counts three visits of the last week and excludes some by a filter, and a viewer of it. */
async function start(caller: NewCaller = {}) {
  const api = await useApp()
  await addVisits(api, 3, { properties: { plan: 'paid' } })
  await addVisits(api, 4, { properties: { plan: 'free' } })
  await addVisits(api, 5, { days: 30, properties: { plan: 'paid' } })
  const plan = { type: 'event', key: 'plan', operator: 'exact', value: ['paid'] }
  const dashboard = await createDashboard(api, {
    name: 'Sales',
    filters: { properties: [plan] },
    tiles: [{ insight: { name: 'Visits', query: visits() } }],
  })
  const viewer = await api.as({ access: 'viewer', ...caller })
  return { api, viewer, dashboard, path: pathOf(dashboard.id), insight: dashboard.tiles[0].insight }
}

const setLevel = (api: TestApp, uuid: string, access_level: string) =>
  api.patch(`members/${uuid}`, { access_level })

const override = (filters: object, name = 'filters_override') =>
  `${name}=${encodeURIComponent(JSON.stringify(filters))}`

describe('a viewer of a project', () => {
  it('sees dashboards and insights with their results', async () => {
    const { viewer, path, insight } = await start()

    const { body } = await viewer.get(`${path}${BLOCKING}`)
    const found = await viewer.get(`insights/${insight.short_id}${BLOCKING}`)
    const lists = [await viewer.get('dashboards'), await viewer.get('insights')]

    expect(numberOf(body.tiles[0].insight.result)).toBe(3)
    expect(numberOf(found.body.result)).toBe(7)
    for (const list of lists) expect(list.body.count).toBe(1)
    expect(body.effective_privilege_level).toBe(21)
    expect(found.body.effective_privilege_level).toBe(21)
    expect(lists[0]?.body.results[0].effective_privilege_level).toBe(21)
  })

  it.each([
    ['other dates', override({ date_from: '-90d' })],
    ['fewer dates', override({ date_from: '-1d' })],
    ['properties', override({ properties: [{ key: 'plan', value: ['free'] }] })],
    ['variables', override({ a: { code_name: 'a', value: 1 } }, 'variables_override')],
    ['a clicked value', override({ properties: [{ key: 'a', value: 1 }] }, 'value_filter')],
  ])('is refused %s of their own on a dashboard', async (_, query) => {
    const { viewer, path } = await start()

    for (const place of [`${path}?${query}`, `${path}/stream_tiles?${query}`]) {
      expect(await viewer.get(place)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('with its own filters') },
      })
    }
  })

  it('changes nothing, also not a dashboard that they created before', async () => {
    const { api, viewer } = await start({ access: 'member' })
    const own = await createDashboard(viewer, { name: 'Mine' })
    await setLevel(api, viewer.uuid, 'viewer')

    const responses = [
      await viewer.patch(pathOf(own.id), { name: 'Changed' }),
      await viewer.post('dashboards', { name: 'New' }),
      await viewer.post('insights', {}),
      await viewer.post(`insights/1/duplicate`),
      await viewer.patch(pathOf(own.id, '/sharing'), { enabled: true }),
      await viewer.post('annotations', { content: 'a', date_marker: daysAgo(1) }),
      await viewer.post('query', { query: visits() }),
    ]

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403))
    const { body } = await viewer.get(pathOf(own.id))
    expect(body).toMatchObject({ name: 'Mine', effective_privilege_level: 21 })
  })

  it('cannot be made an editor as a collaborator', async () => {
    const { api, viewer, path } = await start()
    await api.patch(path, { restriction_level: 37 })
    await api.post(`${path}/collaborators`, { user_uuid: viewer.uuid, level: 37 })

    expect((await viewer.get(path)).body.effective_privilege_level).toBe(21)
    expect((await viewer.patch(path, { name: 'x' })).status).toBe(403)
  })

  it('does not see the trash', async () => {
    const { api, viewer, path, insight } = await start()
    await api.patch(path, { deleted: true, delete_insights: true })

    for (const list of ['dashboards', 'insights', 'annotations']) {
      expect((await viewer.get(`${list}?deleted=true`)).status).toBe(403)
      expect((await viewer.get(list)).body.count).toBe(0)
    }
    expect((await viewer.get(path)).status).toBe(404)
    expect((await viewer.get(`${path}/stream_tiles`)).status).toBe(404)
    expect((await viewer.get(`insights/${insight.short_id}`)).status).toBe(404)
    expect((await api.get(path)).body.deleted).toBe(true)
  })

  it('comments, edits own comments only, and cannot resolve threads', async () => {
    const { api, viewer, dashboard } = await start()
    const place = { scope: 'Dashboard', item_id: dashboard.id }
    const other = (await api.post('comments', { content: 'First', ...place })).body

    const reply = await viewer.post('comments', { content: 'Why?', source_comment: other.id })
    const edited = await viewer.patch(`comments/${reply.body.id}`, { content: 'How?' })

    expect(reply.status).toBe(201)
    expect(edited.body.content).toBe('How?')
    expect((await viewer.patch(`comments/${other.id}`, { content: 'x' })).status).toBe(403)
    expect((await viewer.post(`comments/${other.id}/complete`)).status).toBe(403)
    expect((await viewer.get('comments')).body.count).toBe(2)
  })

  it('sees the project without its token and the filters of its team', async () => {
    const { api, viewer } = await start()
    await api.patch('', { test_account_filters: [{ key: 'email', value: 'ada@example.com' }] })

    const seen = [
      (await viewer.get('')).body,
      (await viewer.get('/api/projects')).body.results[0],
      (await viewer.get('/api/users/@me')).body.team,
      (await viewer.get(`/api/organizations/@current/projects/${api.projectId}`)).body,
    ]

    for (const project of seen) {
      expect(project).toMatchObject({
        ...{ id: api.projectId, user_access_level: 'viewer' },
        ...{ api_token: '', test_account_filters: [] },
      })
    }
    const { body } = await api.get('')
    expect(body).toMatchObject({ user_access_level: 'admin', viewers_can_export: false })
    expect(body.api_token).toMatch(/^phc_/)
  })

  it('exports once the project allows it', async () => {
    const { api, viewer, path, insight } = await start()
    const exports = [`${path}/export.csv`, `insights/${insight.short_id}/export.json`]

    for (const place of exports) expect((await viewer.get(place)).status).toBe(403)
    expect((await viewer.patch('', { viewers_can_export: true })).status).toBe(403)
    await api.patch('', { viewers_can_export: true })
    for (const place of exports) expect((await viewer.get(place)).status).toBe(200)
    await api.patch('', { viewers_can_export: false })
    for (const place of exports) expect((await viewer.get(place)).status).toBe(403)
  })

  it('creates keys that can do no more, and become no less when the level changes', async () => {
    const { api, viewer, path } = await start()
    const session = await api.withSession(viewer.userId)
    const { body } = await session.post('/api/personal_api_keys', { label: 'Mine', scopes: ['*'] })
    const created = api.withKey(body.value)

    expect((await created.get(path)).status).toBe(200)
    expect((await created.post('query', { query: visits() })).status).toBe(403)
    expect((await created.patch(path, { name: 'x' })).status).toBe(403)
    await setLevel(api, viewer.uuid, 'member')
    expect((await created.patch(path, { name: 'x' })).status).toBe(200)
  })

  it('still needs the scope of a key', async () => {
    const { viewer, path } = await start({ scopes: ['insight:read'] })

    expect(await viewer.get(path)).toMatchObject({
      status: 403,
      body: { detail: "API key missing required scope 'dashboard:read'" },
    })
    expect((await viewer.get('insights')).status).toBe(200)
  })

  it('has only the tools that read, and is refused the others', async () => {
    const { api, viewer, dashboard } = await start()
    const client = await connectMcp(api, viewer.key)

    const names = await listToolNames(client)
    const called = await callTool(client, 'execute-sql', { query: 'select 1' })
    const read = await callTool(client, 'dashboard-get', { id: dashboard.id })

    expect(names.toSorted()).toEqual(
      [
        ...['annotation-retrieve', 'annotations-list', 'comments-create', 'comments-list'],
        ...['comments-thread', 'comments-update', 'comments-delete', 'dashboard-get'],
        ...['dashboard-insights-run', 'dashboards-get-all', 'insight-get', 'insight-query'],
        ...['insights-list', 'projects-get'],
      ].toSorted(),
    )
    expect(called.isError).toBe(true)
    expect(read.isError).toBe(false)
  })

  it('loses what streams show at once when they become one', async () => {
    const { api, viewer } = await start({ access: 'member' })
    const stream = await openStream(api.address('events/live'), {
      authorization: `Bearer ${viewer.key}`,
    })
    expect(stream.response.status).toBe(200)

    await setLevel(api, viewer.uuid, 'viewer')

    await until(stream.isEnded, 20)
  })
})

describe('the level of a member', () => {
  it('is set when they are added, changed, and logged each time', async () => {
    const api = await useApp()
    const user = await api.as({ memberOf: [] })
    const path = `members/${user.uuid}`

    const added = await api.post('members', { user_uuid: user.uuid, access_level: 'viewer' })
    const changed = await api.patch(path, { access_level: 'member' })
    await api.patch(path, { access_level: 'member' })
    await api.delete(path)

    expect(added).toMatchObject({ status: 201, body: { level: 1, access_level: 'viewer' } })
    expect(changed).toMatchObject({ status: 200, body: { access_level: 'member' } })
    const { results } = (await api.get('activity_log?scope=Project')).body
    expect(
      results.map(({ activity, detail }: { activity: string; detail: object }) => [
        activity,
        detail,
      ]),
    ).toMatchObject([
      ['member removed', { changes: [{ before: 'member', after: null }] }],
      ['member level changed', { changes: [{ before: 'viewer', after: 'member' }] }],
      ['member added', { changes: [{ before: null, after: 'viewer' }] }],
    ])
  })

  it('is listed in the project and the organization, and is that of an admin without effect', async () => {
    const api = await useApp()
    const viewer = await api.as({ access: 'viewer' })
    const admin = await api.as({ level: 8, access: 'viewer' })
    const find = async (path: string, uuid: string) =>
      (await api.get(path)).body.results.find(
        (each: { user: { uuid: string } }) => each.user.uuid === uuid,
      )
    const all = '/api/organizations/@current/members?limit=1000'

    expect((await find('members', viewer.uuid)).access_level).toBe('viewer')
    expect((await find('members', admin.uuid)).access_level).toBe('admin')
    expect((await find(all, viewer.uuid)).viewer_of).toEqual([api.projectId])
    expect((await find(all, admin.uuid)).viewer_of).toEqual([])
    const demote = { level: 1 }
    await api.patch(`/api/organizations/@current/members/${admin.uuid}`, demote)
    expect((await admin.post('query', { query: visits() })).status).toBe(403)
  })

  it.each([
    [{}, 'required'],
    [{ access_level: null }, 'null'],
    [{ access_level: 'admin' }, 'invalid_choice'],
    [{ access_level: 1 }, 'invalid_choice'],
  ])('is refused as %j', async (body, code) => {
    const api = await useApp()
    const { uuid } = await api.as({})

    const response = await api.patch(`members/${uuid}`, body)

    expect(response).toMatchObject({ status: 400, body: { code, attr: 'access_level' } })
  })

  it('is changed by admins only, and of members only', async () => {
    const api = await useApp()
    const [member, viewer, stranger] = [
      await api.as({}),
      await api.as({ access: 'viewer' }),
      await api.as({ memberOf: [] }),
    ]

    expect((await setLevel(member as never, viewer.uuid, 'member')).status).toBe(403)
    expect((await setLevel(viewer as never, viewer.uuid, 'member')).status).toBe(403)
    expect((await setLevel(api, stranger.uuid, 'viewer')).status).toBe(409)
    expect((await api.patch('members/nobody', { access_level: 'viewer' })).status).toBe(404)
  })

  it('comes with an invite, to members of the organization only', async () => {
    const api = await useApp()
    const invite = { projects: [api.projectId], access_level: 'viewer' }
    const invites = '/api/organizations/@current/invites'

    const { body } = await api.post(invites, { level: 1, ...invite })
    const refused = await api.post(invites, { level: 8, ...invite })
    const token = body.link.split('/').at(-1)
    const email = `viewer${api.projectId}@example.com`
    const accepted = await api.withKey(undefined).post(`/api/invites/${token}`, {
      ...{ first_name: 'Vi', email, password: 'a new long password' },
    })

    expect(body).toMatchObject({ access_level: 'viewer' })
    expect(refused).toMatchObject({ status: 400, body: { attr: 'access_level' } })
    expect(accepted.status).toBe(201)
    const { results } = (await api.get('members')).body
    const added = results.find((each: { user: { email: string } }) => each.user.email === email)
    expect(added.access_level).toBe('viewer')
  })
})

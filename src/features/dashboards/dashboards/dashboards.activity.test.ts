import { describe, expect, it } from 'vitest'
import { type Client, DASHBOARDS, startApp, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  textTile,
} from '../../../../test/support/data/dashboards.ts'

interface Entry {
  readonly activity: string
  readonly user: { readonly first_name: string }
  readonly detail: { readonly changes: { readonly field: string }[] }
}

const listEntries = async (client: Client, id: number): Promise<Entry[]> =>
  (await client.get(pathOf(id, '/activity'))).body.results

const listActivities = async (client: Client, id: number) =>
  (await listEntries(client, id)).map(({ activity }) => activity)

const change = (field: string, before: unknown, after: unknown, action = 'changed') => ({
  type: 'Dashboard',
  field,
  before,
  after,
  action,
})

describe('the activity of a dashboard', () => {
  it('starts with its creation', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id, created_at } = await createDashboard(member, { name: 'Sales' })

    const { status, body } = await api.get(pathOf(id, '/activity'))

    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 1, next: null, previous: null })
    expect(body.results[0]).toMatchObject({
      activity: 'created',
      scope: 'Dashboard',
      item_id: String(id),
      user: { first_name: expect.stringMatching(/^User /), email: expect.stringMatching(/^user/) },
      detail: { name: 'Sales', changes: [] },
    })
    expect(body.results[0].created_at >= created_at).toBe(true)
  })

  it('lists each field before and after, newest change first', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api, { name: 'Sales', tags: ['a'] })
    const patch = { name: 'Costs', pinned: true, tags: [], filters: { a: 1 }, description: '' }

    await member.patch(pathOf(id), patch)

    const [newest] = await listEntries(api, id)
    expect(newest).toMatchObject({ activity: 'updated', detail: { name: 'Costs' } })
    expect(newest?.user.first_name).toMatch(/^User /)
    expect(newest?.detail.changes).toEqual([
      change('name', 'Sales', 'Costs'),
      change('pinned', false, true),
      change('filters', {}, { a: 1 }, 'created'),
      change('tags', ['a'], [], 'deleted'),
    ])
  })

  it('logs changes of tiles', async () => {
    const api = await startApp()
    const { id, tiles } = await createDashboard(api, {
      tiles: [textTile('one'), textTile('two', 6)],
    })
    const [first, second] = tiles

    await api.patch(pathOf(id), {
      tiles: [
        { id: first.id, text: { body: 'ONE' } },
        { id: second.id, deleted: true },
        { insight: { name: 'three' }, color: 'red' },
      ],
    })

    const { layouts } = first
    expect((await listEntries(api, id))[0]?.detail.changes).toEqual([
      change(
        `tile ${first.id}`,
        { layouts, color: null, text: 'one' },
        { layouts, color: null, text: 'ONE' },
      ),
      change(
        `tile ${second.id}`,
        { layouts: second.layouts, color: null, text: 'two' },
        null,
        'deleted',
      ),
      change('tile 3', null, { layouts: {}, color: 'red', insight: 'three' }, 'created'),
    ])
  })

  it('logs trashing and restoring apart from other changes', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { tiles: [insightTile('one')] })

    await api.patch(pathOf(id), { deleted: true, delete_insights: true, name: 'Old' })
    await api.patch(pathOf(id), { deleted: true })
    await api.patch(pathOf(id), { deleted: false })

    expect(await listActivities(api, id)).toEqual(['restored', 'deleted', 'updated', 'created'])
  })

  it('logs collaborators and sharing, but not the link itself', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api)
    const { access_token } = (await api.get(pathOf(id, '/sharing'))).body

    await api.post(pathOf(id, '/collaborators'), { user_uuid: member.uuid, level: 37 })
    await api.delete(pathOf(id, `/collaborators/${member.uuid}`))
    await api.patch(pathOf(id, '/sharing'), { enabled: true })
    await api.post(pathOf(id, '/sharing/refresh'))
    await api.patch(pathOf(id, '/sharing'), { enabled: false })

    const { body, text } = await api.get(pathOf(id, '/activity'))
    const logged = body.results.map(({ activity, detail }: Entry) => [activity, detail.changes])
    const invited = { user: member.uuid, level: 37 }
    expect(logged).toEqual([
      ['sharing disabled', [change('is_shared', true, false)]],
      ['sharing link replaced', []],
      ['sharing enabled', [change('is_shared', false, true)]],
      ['collaborator removed', [change('collaborator', invited, null, 'deleted')]],
      ['collaborator added', [change('collaborator', null, invited, 'created')]],
      ['created', []],
    ])
    expect(text).not.toContain(access_token)
  })

  it('logs nothing if nothing changed', async () => {
    const api = await useApp()
    const before = await createDashboard(api, { name: 'a', tags: ['x'], tiles: [textTile('one')] })

    for (const patch of [{}, { name: 'a' }, { tags: [' x'] }, { deleted: false }, before]) {
      await api.patch(pathOf(before.id), patch)
    }
    await api.patch(pathOf(before.id, '/sharing'), { enabled: false })
    await api.patch(pathOf(before.id, '/sharing'), {})
    await api.get(pathOf(before.id))

    expect(await listActivities(api, before.id)).toEqual(['created'])
  })

  it.each([
    ['PATCH', '', { name: 'b', tiles: [{ id: 404 }] }],
    ['PATCH', '', { name: 'b', pinned: 'yes' }],
    ['PATCH', '', { use_template: 'a', use_dashboard: 1 }],
    ['POST', '/collaborators', { user_uuid: '00000000-0000-0000-0000-000000000000', level: 21 }],
    ['DELETE', '/collaborators/00000000-0000-0000-0000-000000000000', undefined],
    ['PATCH', '/sharing', { enabled: 'yes' }],
    ['DELETE', '', undefined],
  ])('does not log a refused %s%s %j', async (method, part, body) => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'a' })

    const response = await api.request(method, pathOf(id, part), body)

    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await listActivities(api, id)).toEqual(['created'])
    const logged = api.db.selectFrom('activity').where('project_id', '=', api.projectId)
    expect(await logged.selectAll().execute()).toHaveLength(1)
  })

  it('is paginated', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    for (const name of ['a', 'b', 'c']) await api.patch(pathOf(id), { name })

    const { body } = await api.get(pathOf(id, '/activity?limit=2&offset=1'))

    expect(body).toMatchObject({
      count: 4,
      next: expect.stringMatching(/limit=2&offset=3$/),
      previous: expect.stringMatching(/limit=2$/),
      results: [{ detail: { name: 'b' } }, { detail: { name: 'a' } }],
    })
  })

  it('belongs to one dashboard, and continues in the trash', async () => {
    const api = await useApp()
    const first = await createDashboard(api, { name: 'a' })
    const second = await createDashboard(api, { use_dashboard: first.id })
    await api.patch(pathOf(second.id), { deleted: true })

    const logged = [await listActivities(api, first.id), await listActivities(api, second.id)]

    expect(logged).toEqual([['created'], ['deleted', 'created']])
    expect((await api.get(pathOf(404, '/activity'))).status).toBe(404)
    expect((await api.get(`${DASHBOARDS}/x/activity`)).status).toBe(404)
  })
})

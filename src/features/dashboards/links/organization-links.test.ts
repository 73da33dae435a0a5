import { describe, expect, it } from 'vitest'
import { type Client, startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'

const ORGANIZATION = '/api/organizations/@current'
const LINKS = `${ORGANIZATION}/public_links`
const [PAST, LATER] = ['2020-01-01T00:00:00.000Z', '2120-01-01T00:00:00.000Z']

interface Link {
  readonly id: number
  readonly access_token: string
}

const dataOf = ({ access_token }: Link) => `/shared/${access_token}.json`

async function addLink(api: Client, dashboard: number, body = {}): Promise<Link> {
  const created = await api.post(pathOf(dashboard, '/sharing/links'), body)
  expect(created.status).toBe(201)
  return created.body
}

const listIds = async (api: Client, query = '') =>
  (await api.get(LINKS + query)).body.results.map(({ id }: Link) => id)

const statusOf = async (api: TestApp, link: Link) =>
  (await api.withKey(undefined).get(dataOf(link))).status

describe('the public links of an organization', () => {
  it('are listed with their dashboards and projects, the newest first', async () => {
    const api = await startApp()
    const other = await api.createProject('Nightingale')
    const elsewhere = `/api/environments/${other}/dashboards`
    const sales = await createDashboard(api, { name: 'Sales', tags: ['board'] })
    const { body: costs } = await api.post(elsewhere, { name: 'Costs' })
    const first = await addLink(api, sales.id, { label: 'Investors' })
    await api.patch(`${elsewhere}/${costs.id}/sharing`, { enabled: true })
    const { body: links } = await api.get(`${elsewhere}/${costs.id}/sharing/links`)

    const { body } = await api.get(LINKS)

    expect(body).toMatchObject({
      count: 2,
      results: expect.arrayContaining([
        {
          ...first,
          dashboard: { id: sales.id, name: 'Sales' },
          insight: null,
          project: { id: 1, name: expect.any(String) },
        },
        {
          ...links.results[0],
          dashboard: { id: costs.id, name: 'Costs' },
          insight: null,
          project: { id: other, name: 'Nightingale' },
        },
      ]),
    })
    expect(await listIds(api, `?project=${other}`)).toEqual([links.results[0].id])
    expect(await listIds(api, '?search=BOARD')).toEqual([first.id])
    expect(await listIds(api, '?limit=1&offset=2')).toEqual([])
  })

  it('leave out those that are turned off or lead to the trash', async () => {
    const api = await startApp()
    const [off, trashed] = [await createDashboard(api), await createDashboard(api)]
    await addLink(api, trashed.id)
    await api.patch(pathOf(trashed.id), { deleted: true })

    expect(await listIds(api)).toEqual([])
    await api.patch(pathOf(off.id, '/sharing'), { enabled: true })
    expect(await listIds(api)).toHaveLength(1)
  })

  it('are revoked at once, in all projects, and logged there', async () => {
    const api = await startApp()
    const other = await api.createProject('Nightingale')
    const elsewhere = `/api/environments/${other}/dashboards`
    const { id } = await createDashboard(api)
    const { body: costs } = await api.post(elsewhere, { name: 'Costs' })
    const kept = await addLink(api, id)
    const gone = await addLink(api, id)
    await api.patch(`${elsewhere}/${costs.id}/sharing`, { enabled: true })
    const shared = (await api.get(`${elsewhere}/${costs.id}/sharing`)).body
    const [first] = (await api.get(`${elsewhere}/${costs.id}/sharing/links`)).body.results

    const ids = [gone.id, first.id, 987_654]
    const { status, body } = await api.post(`${LINKS}/revoke`, { ids })

    expect([status, body]).toEqual([200, { revoked: 2 }])
    expect(await statusOf(api, kept)).toBe(200)
    expect(await statusOf(api, gone)).toBe(404)
    expect(await statusOf(api, shared)).toBe(404)
    const { results } = (await api.get(`${elsewhere}/${costs.id}/activity`)).body
    expect(results[0].activity).toBe('public link revoked')
    expect((await api.post(`${LINKS}/revoke`, { ids })).body).toEqual({ revoked: 0 })
  })

  it('are for admins', async () => {
    const api = await useApp()
    const member = await api.as({})

    expect((await member.get(LINKS)).status).toBe(403)
    expect((await member.post(`${LINKS}/revoke`, { ids: [1] })).status).toBe(403)
  })

  it.each([[[]], [[-1]], [['x']], [null], [Array.from({ length: 1001 }, (_, id) => id)]])(
    'are not revoked by %j',
    async (ids) => {
      const api = await useApp()

      const { status, body } = await api.post(`${LINKS}/revoke`, { ids })

      expect([status, body.attr]).toEqual([400, expect.stringMatching(/^ids/)])
    },
  )
})

describe('what an organization allows its public links', () => {
  const allow = async (api: TestApp, rules: object) =>
    expect((await api.patch(ORGANIZATION, rules)).status).toBe(200)

  it('is everything at first, and every member can read it', async () => {
    const api = await startApp()
    const member = await api.as({})

    const { body } = await member.get(ORGANIZATION)

    expect(body).toMatchObject({
      allow_publicly_shared_resources: true,
      public_links_require_password: false,
      public_link_max_days: null,
    })
    expect((await member.patch(ORGANIZATION, { public_link_max_days: 1 })).status).toBe(403)
  })

  it('can be nothing: links neither open nor can be added until they are allowed again', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    const link = await addLink(api, id)
    await allow(api, { allow_publicly_shared_resources: false })

    expect(await statusOf(api, link)).toBe(404)
    const refused = [
      await api.post(pathOf(id, '/sharing/links'), { password: 'correct horse' }),
      await api.patch(pathOf(id, '/sharing'), { enabled: true }),
    ]
    for (const { status, body } of refused) {
      expect([status, body.detail]).toEqual([403, 'The organization does not allow public links.'])
    }
    expect((await api.get(LINKS)).body.results).toMatchObject([{ id: link.id, state: 'refused' }])
    await allow(api, { allow_publicly_shared_resources: true })
    expect(await statusOf(api, link)).toBe(200)
  })

  it('can be links with a password', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    const [open, locked] = [
      await addLink(api, id),
      await addLink(api, id, { password: 'correct horse' }),
    ]
    await allow(api, { public_links_require_password: true })

    expect(await statusOf(api, open)).toBe(404)
    expect(await statusOf(api, locked)).toBe(401)
    const path = pathOf(id, '/sharing/links')
    const refused = [
      await api.post(path, {}),
      await api.patch(`${path}/${locked.id}`, { password: null }),
      await api.patch(pathOf(id, '/sharing'), { enabled: true }),
    ]
    for (const { status, body } of refused) expect([status, body.attr]).toEqual([400, 'password'])
    expect((await api.patch(`${path}/${open.id}`, { label: 'Board' })).status).toBe(200)
    const protectedAgain = { password: 'correct horse' }
    expect((await api.patch(`${path}/${open.id}`, protectedAgain)).body.state).toBe('open')
  })

  it('can be some days, also for links that are older', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    const [old, recent] = [await addLink(api, id), await addLink(api, id, { expires_at: LATER })]
    const created_at = new Date(Date.now() - 8 * 86_400_000).toISOString()
    await api.db.updateTable('share_links').set({ created_at }).where('id', '=', old.id).execute()
    await allow(api, { public_link_max_days: 7 })

    expect(await statusOf(api, old)).toBe(410)
    expect(await statusOf(api, recent)).toBe(200)
    const [, first, second] = (await api.get(pathOf(id, '/sharing/links'))).body.results
    expect(first).toMatchObject({ state: 'ended', expires_at: null })
    expect(second).toMatchObject({ state: 'open', expires_at: LATER })
    const left = Date.parse(second.ends_at) - Date.now()
    expect(left).toBeGreaterThan(6.9 * 86_400_000)
    expect(left).toBeLessThanOrEqual(7 * 86_400_000)
    const refused = await api.post(pathOf(id, '/sharing/links'), { expires_at: LATER })
    expect(refused).toMatchObject({ status: 400, body: { attr: 'expires_at' } })
  })

  it('counts the days of the first link from when it was turned on', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    await api.db.updateTable('share_links').set({ created_at: PAST }).execute()
    await allow(api, { public_link_max_days: 7 })

    const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })

    expect(body).toMatchObject({ enabled: true, created_at: PAST })
    expect(await statusOf(api, body)).toBe(200)
  })

  it.each([
    ['public_link_max_days', 0],
    ['public_link_max_days', 3651],
    ['public_link_max_days', 'a week'],
    ['allow_publicly_shared_resources', null],
    ['public_links_require_password', 1],
  ])('cannot be %s = %j', async (field, value) => {
    const api = await useApp()

    const { status, body } = await api.patch(ORGANIZATION, { [field]: value })

    expect([status, body.attr]).toEqual([400, field])
  })
})

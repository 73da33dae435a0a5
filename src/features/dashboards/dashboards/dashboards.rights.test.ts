import { describe, expect, it } from 'vitest'
import { type Client, DASHBOARDS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  readAll,
  textTile,
} from '../../../../test/support/data/dashboards.ts'

const NO_EDIT = "You don't have edit permissions for this dashboard."
const NO_RESTRICT =
  "Only the dashboard owner and project admins have the restriction rights required to change the dashboard's restriction level."

type Who = 'creator' | 'admin' | 'member' | 'viewer' | 'editor'

/** Starts with a member's dashboard and a caller. A viewer is a collaborator of level 21, an editor of 37. */
async function startAs(who: Who, restriction_level: number) {
  const api = await useApp()
  const creator = await api.as({})
  const dashboard = await createDashboard(creator, { restriction_level, tiles: [textTile('one')] })
  if (who === 'creator') return { api, dashboard, caller: creator }
  const caller = await api.as({ level: who === 'admin' ? 8 : 1 })
  const level = { viewer: 21, editor: 37 }[who as string]
  if (level) {
    const invitation = { user_uuid: caller.uuid, level }
    await creator.post(pathOf(dashboard.id, '/collaborators'), invitation)
  }
  return { api, dashboard, caller }
}

/** Tries every kind of edit once, the trash last, and returns the statuses. */
async function tryAll(
  api: TestApp,
  caller: Client,
  { id, tiles }: { id: number; tiles: unknown[] },
) {
  const [{ id: tile }] = tiles as [{ id: number }]
  const { uuid } = await api.as({})
  const other = await api.as({})
  await api.post(pathOf(id, '/collaborators'), { user_uuid: other.uuid, level: 21 })
  const before = await readAll(api)
  const responses = {
    patch: await caller.patch(pathOf(id), { name: 'Changed' }),
    tiles: await caller.patch(pathOf(id), { tiles: [{ id: tile, color: 'red' }] }),
    add: await caller.post(pathOf(id, '/collaborators'), { user_uuid: uuid, level: 21 }),
    remove: await caller.delete(pathOf(id, `/collaborators/${other.uuid}`)),
    share: await caller.patch(pathOf(id, '/sharing'), { enabled: true }),
    refresh: await caller.post(pathOf(id, '/sharing/refresh')),
    trash: await caller.patch(pathOf(id), { deleted: true }),
  }
  const statuses = Object.values(responses).map(({ status }) => status)
  const details = Object.values(responses).map(({ body }) => body?.detail)
  return { statuses, details, before }
}

const DONE = [200, 200, 201, 204, 200, 200, 200]
const REFUSED = DONE.map(() => 403)

describe('rights on a dashboard', () => {
  it.each<[Who, number]>([
    ['creator', 21],
    ['creator', 37],
    ['admin', 21],
    ['admin', 37],
    ['member', 21],
    ['viewer', 21],
    ['editor', 21],
    ['editor', 37],
  ])('let the %s edit at restriction %i', async (who, restriction) => {
    const { api, dashboard, caller } = await startAs(who, restriction)

    const { statuses } = await tryAll(api, caller, dashboard)

    expect(statuses).toEqual(DONE)
    expect((await caller.get(pathOf(dashboard.id))).body).toMatchObject({
      name: 'Changed',
      is_shared: true,
      deleted: true,
      tiles: [{ color: 'red' }],
      effective_privilege_level: 37,
    })
  })

  it.each<[Who, number]>([
    ['member', 37],
    ['viewer', 37],
  ])('let the %s only view at restriction %i', async (who, restriction) => {
    const { api, dashboard, caller } = await startAs(who, restriction)

    const { statuses, details, before } = await tryAll(api, caller, dashboard)

    expect(statuses).toEqual(REFUSED)
    expect(new Set(details)).toEqual(new Set([NO_EDIT]))
    expect(await readAll(api)).toEqual(before)
    for (const path of [
      DASHBOARDS,
      ...['', '/collaborators', '/sharing', '/activity'].map((part) => pathOf(dashboard.id, part)),
    ]) {
      expect((await caller.get(path)).status).toBe(200)
    }
    expect((await caller.get(pathOf(dashboard.id))).body.effective_privilege_level).toBe(21)
    expect((await caller.get(DASHBOARDS)).body.results[0].effective_privilege_level).toBe(21)
  })

  it.each<[Who, number]>([
    ['creator', 21],
    ['creator', 37],
    ['admin', 21],
    ['admin', 37],
  ])('let the %s change restriction %i', async (who, restriction_level) => {
    const { dashboard, caller } = await startAs(who, restriction_level)
    const wanted = restriction_level === 21 ? 37 : 21

    const { status, body } = await caller.patch(pathOf(dashboard.id), { restriction_level: wanted })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      restriction_level: wanted,
      effective_restriction_level: wanted,
      effective_privilege_level: 37,
    })
  })

  it.each<[Who, number, string]>([
    ['member', 21, NO_RESTRICT],
    ['viewer', 21, NO_RESTRICT],
    ['editor', 21, NO_RESTRICT],
    ['editor', 37, NO_RESTRICT],
    ['member', 37, NO_EDIT],
    ['viewer', 37, NO_EDIT],
  ])('reject a restriction level sent by the %s at restriction %i', async (who, level, detail) => {
    const { api, dashboard, caller } = await startAs(who, level)
    const before = await readAll(api)

    for (const restriction_level of [21, 37]) {
      const patch = { name: 'Changed', restriction_level }
      const response = await caller.patch(pathOf(dashboard.id), patch)

      expect(response.status).toBe(403)
      expect(response.body).toMatchObject({ code: 'permission_denied', detail, attr: null })
    }
    expect(await readAll(api)).toEqual(before)
  })

  it("are checked after the body's schema and before its references", async () => {
    const { dashboard, caller } = await startAs('member', 37)

    const responses = [
      await caller.patch(pathOf(dashboard.id), { name: 7 }),
      await caller.patch(pathOf(dashboard.id), { tiles: [{ id: 404 }] }),
      await caller.patch(pathOf(404), { name: 'x' }),
    ]

    expect(responses.map(({ status }) => status)).toEqual([400, 403, 404])
  })

  it('apply to texts that a copy shares', async () => {
    const { api, dashboard, caller } = await startAs('member', 37)
    const copy = await createDashboard(caller, { use_dashboard: dashboard.id })
    const before = await readAll(api)

    const response = await caller.patch(pathOf(copy.id), {
      tiles: [{ id: copy.tiles[0].id, color: 'red', text: { body: 'Changed' } }],
    })

    expect(response).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    expect(await readAll(api)).toEqual(before)
    expect((await caller.patch(pathOf(copy.id), { tiles: copy.tiles })).status).toBe(200)
  })

  it('of the creator stay when they become a member', async () => {
    const { api, dashboard, caller } = await startAs('creator', 37)
    await api.patch(pathOf(dashboard.id), { name: 'Changed by somebody else' })

    const { status, body } = await caller.patch(pathOf(dashboard.id), { restriction_level: 37 })

    expect([status, body.effective_privilege_level]).toEqual([200, 37])
  })
})

describe("another project's dashboard", () => {
  const TILES = [textTile('one'), insightTile('two', 6)]

  /** A dashboard here and one in another project; the caller has access to both. */
  async function startWithTwo() {
    const api = await useApp()
    const other = await api.createProject()
    const caller = await api.as({ memberOf: [api.projectId, other] })
    const here = await createDashboard(caller, { name: 'here', tiles: TILES })
    const sent = { name: 'there', tags: ['x'], tiles: TILES }
    const { body: there } = await caller.post(api.path(DASHBOARDS, other), sent)
    const parts = ['', '/sharing', '/collaborators', '/activity']
    const paths = [DASHBOARDS, ...parts.map((part) => pathOf(there.id, part))]
    const readOther = () =>
      Promise.all(paths.map(async (path) => (await caller.get(api.path(path, other))).body))
    return { api, caller, here, there, readOther }
  }

  it.each([
    ['GET', '', undefined, 404],
    ['PATCH', '', { name: 'x' }, 404],
    ['PATCH', '', { deleted: true, delete_insights: true }, 404],
    ['GET', '/activity', undefined, 404],
    ['GET', '/collaborators', undefined, 404],
    ['DELETE', '/collaborators/00000000-0000-0000-0000-000000000000', undefined, 404],
    ['GET', '/sharing', undefined, 404],
    ['PATCH', '/sharing', { enabled: true }, 404],
    ['POST', '/sharing/refresh', undefined, 404],
    ['DELETE', '', undefined, 405],
  ])('is not found by %s of it%s %j', async (method, part, body, status) => {
    const { caller, there, readOther } = await startWithTwo()
    const before = [await readAll(caller), await readOther()]

    const response = await caller.request(method, pathOf(there.id, part), body)

    expect(response.status).toBe(status)
    expect([await readAll(caller), await readOther()]).toEqual(before)
  })

  it('and its parts cannot be used here', async () => {
    const { caller, here, there, readOther } = await startWithTwo()
    const before = [await readAll(caller), await readOther()]
    const [{ id: tile, text }, { insight }] = there.tiles

    const responses = [
      await caller.post(DASHBOARDS, { use_dashboard: there.id }),
      await caller.post(DASHBOARDS, { tiles: [{ insight: { id: insight.id } }] }),
      await caller.patch(pathOf(here.id), { tiles: [{ id: tile, color: 'red' }] }),
      await caller.patch(pathOf(here.id), { tiles: [{ text: { id: text.id, body: 'x' } }] }),
      await caller.patch(pathOf(here.id), { tiles: [{ insight: { id: insight.id } }] }),
    ]

    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    expect([await readAll(caller), await readOther()]).toEqual(before)
  })

  it('is in no list, and accepts no collaborator from here', async () => {
    const { api, caller, there } = await startWithTwo()
    const { uuid } = await api.as({})

    const queries = ['', '?tags=x', '?search=there', `?created_by=${caller.userId}`]
    const pages = queries.map((query) => caller.get(`${DASHBOARDS}${query}`))

    const counts = (await Promise.all(pages)).map(({ body }) => body.count)
    expect(counts).toEqual([1, 0, 0, 1])
    const invitation = { user_uuid: uuid, level: 37 }
    const response = await caller.post(pathOf(there.id, '/collaborators'), invitation)
    expect(response).toMatchObject({ status: 404, body: { detail: 'Dashboard not found.' } })
  })
})

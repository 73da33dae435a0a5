import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Client, DASHBOARDS, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  textTile,
} from '../../../../test/support/data/dashboards.ts'

const FULL = {
  name: 'Sales',
  description: 'All',
  pinned: true,
  tags: ['a'],
  restriction_level: 37,
  filters: { a: 1 },
  variables: { b: 2 },
  tiles: [textTile('one'), insightTile('two', 6), insightTile('three', 0, 5)],
}

/** Creates a dashboard, or trashes or restores an existing one. */
const STEP = fc.record({ add: fc.boolean(), which: fc.nat(), deleted: fc.boolean() })

const namesOf = (body: { tiles: { insight: { name: string } | null }[] }) =>
  body.tiles.map(({ insight }) => insight?.name)

const trash = async (client: Client, id: number, more = {}) =>
  (await client.patch(pathOf(id), { deleted: true, ...more })).body

const restore = async (client: Client, id: number) =>
  (await client.patch(pathOf(id), { deleted: false })).body

describe('the trash', () => {
  it('keeps a dashboard readable and unlisted', async () => {
    const api = await useApp()
    const before = await createDashboard(api, FULL)

    const { status, body } = await api.patch(pathOf(before.id), { deleted: true })

    expect(status).toBe(200)
    expect(body).toEqual({ ...before, deleted: true })
    expect((await api.get(pathOf(before.id))).body).toEqual(body)
    expect((await api.get(DASHBOARDS)).body).toMatchObject({ count: 0, results: [] })
    expect((await api.get(`${DASHBOARDS}?deleted=true`)).body).toMatchObject({
      count: 1,
      results: [{ id: before.id, deleted: true }],
    })
  })

  it.each([false, true])('restores the same content, with delete_insights %s', async (along) => {
    const api = await useApp()
    const member = await api.as({})
    const before = await createDashboard(api, FULL)
    const path = pathOf(before.id)
    await api.post(`${path}/collaborators`, { user_uuid: member.uuid, level: 37 })
    await api.patch(`${path}/sharing`, { enabled: true })
    const parts = ['', '/collaborators', '/sharing']
    const read = () => Promise.all(parts.map(async (part) => (await api.get(path + part)).body))
    const whole = await read()
    await trash(api, before.id, { delete_insights: along })

    const body = await restore(api, before.id)

    expect(body).toEqual({ ...before, is_shared: true })
    expect(await read()).toEqual(whole)
    expect((await api.get(DASHBOARDS)).body).toMatchObject({
      count: 1,
      results: [{ name: 'Sales' }],
    })
  })

  it('disables the public link until the dashboard is restored', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, FULL)
    const sharing = await api.patch(pathOf(id, '/sharing'), { enabled: true })
    const link = `/shared/${sharing.body.access_token}.json`
    const seen = [(await api.get(link)).status]

    await trash(api, id)
    seen.push((await api.get(link)).status)
    await restore(api, id)
    seen.push((await api.get(link)).status)

    expect(seen).toEqual([200, 404, 200])
  })

  it('does not restore tiles that were deleted before', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, FULL)
    await api.patch(pathOf(id), { tiles: [{ id: tiles[0].id, deleted: true }] })

    const trashed = await trash(api, id)

    expect(namesOf(trashed)).toEqual(['two', 'three'])
    expect(namesOf(await restore(api, id))).toEqual(['two', 'three'])
  })

  it('takes only insights that no other live dashboard shows', { tags: 'sql' }, async () => {
    const api = await useApp()
    const first = await createDashboard(api, { tiles: [insightTile('shared')] })
    const second = await createDashboard(api, {
      use_dashboard: first.id,
      tiles: [insightTile('own')],
    })

    const { tiles } = await trash(api, second.id, { delete_insights: true })

    const gone = tiles.map(({ insight }: { insight: { name: string; deleted: boolean } }) => [
      insight.name,
      insight.deleted,
    ])
    expect(gone).toEqual([
      ['shared', false],
      ['own', true],
    ])
    expect((await api.get(pathOf(first.id))).body).toEqual(first)
  })

  it('takes an insight with the last dashboard that shows it', async () => {
    const api = await useApp()
    const first = await createDashboard(api, { tiles: [insightTile('shared')] })
    const second = await createDashboard(api, { use_dashboard: first.id })
    await trash(api, first.id)
    await trash(api, second.id, { delete_insights: true })
    expect((await api.get(pathOf(first.id))).body.tiles[0].insight.deleted).toBe(true)

    const restored = await restore(api, first.id)

    expect(restored).toEqual(first)
    expect((await api.get(pathOf(second.id))).body.tiles[0].insight.deleted).toBe(false)
  })

  it('keeps insights without delete_insights', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [insightTile('one')] })

    const trashed = await trash(api, id, { delete_insights: false })

    expect(trashed.tiles).toEqual(tiles)
    await api.patch(pathOf(id), { deleted: true, delete_insights: true })
    expect((await api.get(pathOf(id))).body.tiles).toEqual(tiles)
  })

  it('never shows a deleted insight on a live dashboard', async () => {
    const api = await useApp()
    const first = await createDashboard(api, { tiles: [insightTile('shared')] })
    const second = await createDashboard(api, { use_dashboard: first.id })
    const tile = { id: first.tiles[0].id }
    await api.patch(pathOf(first.id), { tiles: [{ ...tile, deleted: true }] })
    await trash(api, second.id, { delete_insights: true })

    const { body } = await api.patch(pathOf(first.id), { tiles: [{ ...tile, deleted: false }] })

    expect(body).toEqual(first)
    expect((await api.get(pathOf(second.id))).body.tiles[0].insight.deleted).toBe(false)
  })

  it('restores an insight whose tile was deleted only with that tile', async () => {
    const api = await useApp()
    const before = await createDashboard(api, { tiles: [insightTile('one')] })
    const tile = { id: before.tiles[0].id }
    await trash(api, before.id, { delete_insights: true })
    await api.patch(pathOf(before.id), { tiles: [{ ...tile, deleted: true }] })
    expect((await restore(api, before.id)).tiles).toEqual([])

    const { body } = await api.patch(pathOf(before.id), { tiles: [{ ...tile, deleted: false }] })

    expect(body).toEqual(before)
  })

  it('does not put a deleted insight on other dashboards', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [insightTile('one')] })
    await trash(api, id, { delete_insights: true })

    const response = await api.post(DASHBOARDS, {
      tiles: [{ insight: { id: tiles[0].insight.id } }],
    })

    expect(response).toMatchObject({ status: 400, body: { code: 'does_not_exist' } })
  })

  it('allows edits in the trash, and trashing or restoring twice', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, FULL)
    await trash(api, id)

    const again = await trash(api, id, { name: 'Changed' })

    expect(again).toMatchObject({ deleted: true, name: 'Changed' })
    expect(await restore(api, id)).toMatchObject({ deleted: false, name: 'Changed' })
    expect(await restore(api, id)).toMatchObject({ deleted: false, name: 'Changed' })
    expect((await api.get(DASHBOARDS)).body.count).toBe(1)
  })

  it('keeps correct counts after any sequence of steps', { tags: 'sql' }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 20, maxLength: 40 }), async (steps) => {
        const api = await useApp()
        const bin = new Map<number, boolean>()
        for (const { add, which, deleted } of steps) {
          const id = [...bin.keys()][which % (bin.size || 1)]
          if (add || id === undefined)
            bin.set((await createDashboard(api, { deleted })).id, deleted)
          else bin.set((await api.patch(pathOf(id), { deleted })).body.id, deleted)
        }

        const pages = [await api.get(DASHBOARDS), await api.get(`${DASHBOARDS}?deleted=true`)]

        const trashed = [...bin.values()].filter(Boolean).length
        expect(pages.map(({ body }) => body.count)).toEqual([bin.size - trashed, trashed])
        expect(pages.map(({ body }) => body.results.length)).toEqual([bin.size - trashed, trashed])
      }),
      { numRuns: 3 },
    ),
  )
})

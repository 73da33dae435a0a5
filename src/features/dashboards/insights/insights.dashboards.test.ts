import { describe, expect, it } from 'vitest'
import { type Client, startApp, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  textTile,
} from '../../../../test/support/data/dashboards.ts'
import { createInsight, INSIGHTS, insightPath } from '../../../../test/support/data/insights.ts'

interface Tile {
  readonly id: number
  readonly layouts: { readonly sm: { readonly y: number } }
  readonly insight: { readonly id: number; readonly name: string } | null
}

const listTiles = async (client: Client, id: number): Promise<Tile[]> =>
  (await client.get(pathOf(id))).body.tiles

const shownOn = async (client: Client, id: number) =>
  (await listTiles(client, id)).map(({ insight }) => insight?.name ?? null)

const listActivities = async (client: Client, path: string) =>
  (await client.get(`${path}/activity`)).body.results.map(
    (entry: { activity: string; detail: { changes: { field: string }[] } }) => [
      entry.activity,
      ...entry.detail.changes.map(({ field }) => field),
    ],
  )

describe('an insight on dashboards', () => {
  it('is the last tile of each', async () => {
    const api = await useApp()
    const empty = await createDashboard(api)
    const full = await createDashboard(api, { tiles: [textTile('a'), textTile('b', 6, 7)] })
    expect(await listTiles(api, empty.id)).toEqual([]) // fills the cache

    const made = await createInsight(api, { name: 'Visits', dashboards: [full.id, empty.id] })

    expect(made.dashboards).toEqual([empty.id, full.id])
    const [only] = await listTiles(api, empty.id)
    const last = (await listTiles(api, full.id)).at(-1)
    expect([only?.insight?.name, last?.insight?.name]).toEqual(['Visits', 'Visits'])
    expect([only?.layouts.sm.y, last?.layouts.sm.y]).toEqual([0, 12])
    expect(made.dashboard_tiles).toEqual([
      { id: only?.id, dashboard_id: empty.id, deleted: false },
      { id: last?.id, dashboard_id: full.id, deleted: false },
    ])
  })

  it.each([
    [{ sm: { y: 1e300, h: 1e300 } }],
    [{ sm: { y: '5', h: null } }],
    [{ sm: { y: { valueOf: 1 } } }],
    [{ sm: null }],
    [{}],
  ])('is placed below a tile at %j', async (layouts) => {
    const api = await useApp()
    const { id } = await createDashboard(api, { tiles: [{ text: { body: 'a' }, layouts }] })

    expect((await createInsight(api, { dashboards: [id] })).dashboards).toEqual([id])
  })

  it('is added to some and removed from others by one patch', async () => {
    const api = await useApp()
    const [first, second, third] = [
      await createDashboard(api, { tiles: [textTile('a')] }),
      await createDashboard(api),
      await createDashboard(api),
    ]
    const { id } = await createInsight(api, { name: 'Visits', dashboards: [first.id, second.id] })
    const kept = await listTiles(api, second.id)

    const { body } = await api.patch(insightPath(id), { dashboards: [third.id, second.id] })

    expect(body.dashboards).toEqual([second.id, third.id])
    expect(await shownOn(api, first.id)).toEqual([null])
    expect(await listTiles(api, second.id)).toEqual(kept)
    expect(await shownOn(api, third.id)).toEqual(['Visits'])
  })

  it('can be added again after it was removed', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const insight = await createInsight(api, { dashboards: [id, id] })

    expect((await api.patch(insightPath(insight.id), { dashboards: [] })).body.dashboards).toEqual(
      [],
    )
    const { body } = await api.patch(insightPath(insight.id), { dashboards: [id] })

    expect(body.dashboards).toEqual([id])
    expect(await listTiles(api, id)).toHaveLength(1)
  })

  it('changes on every dashboard that shows it, even if cached', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [insightTile('Visits')] })
    const copy = await createDashboard(api, { use_dashboard: id })
    expect(await shownOn(api, copy.id)).toEqual(['Visits'])

    await api.patch(insightPath(tiles[0].insight.id), { name: 'Costs' })

    expect(await shownOn(api, id)).toEqual(['Costs'])
    expect(await shownOn(api, copy.id)).toEqual(['Costs'])
  })

  it('has only the fields of a tile in a tile', async () => {
    const api = await useApp()
    const { tiles } = await createDashboard(api, { tiles: [insightTile('Visits')] })

    expect(Object.keys(tiles[0].insight)).toEqual([
      ...['id', 'short_id', 'name', 'derived_name', 'description', 'query', 'tags', 'is_sample'],
      ...['deleted', 'created_at', 'created_by', 'last_modified_at', 'last_modified_by'],
      ...['last_refresh', 'is_cached', 'result', 'columns', 'query_status'],
    ])
  })

  it.each(['trashed', 'foreign', 'unknown'])(
    'is not added to a dashboard that is %s',
    async (which) => {
      const api = await useApp()
      const base = `/api/environments/${await api.createProject()}/dashboards`
      const good = await createDashboard(api)
      const ids: Record<string, number> = {
        trashed: (await createDashboard(api, { deleted: true })).id,
        foreign: (await api.post(base, {})).body.id,
        unknown: 987654,
      }
      const dashboards = [good.id, ids[which]]

      const made = await api.post(INSIGHTS, { dashboards })

      const detail = `Invalid pk "${ids[which]}" - object does not exist.`
      expect(made).toMatchObject({ status: 400, body: { attr: 'dashboards', detail } })
      expect((await api.get(INSIGHTS)).body.count).toBe(0)
      expect(await listTiles(api, good.id)).toEqual([])
    },
  )

  it('stays on a trashed dashboard, which it does not list', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const insight = await createInsight(api, { name: 'Visits', dashboards: [id] })
    await api.patch(pathOf(id), { deleted: true })

    const { body } = await api.patch(insightPath(insight.id), { dashboards: [] })
    await api.patch(pathOf(id), { deleted: false })

    expect(body).toMatchObject({ dashboards: [], dashboard_tiles: [] })
    expect(await shownOn(api, id)).toEqual(['Visits'])
  })

  it("is logged in its own activity and in the dashboards'", async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    const insight = await createInsight(api, { name: 'Visits' })

    await api.patch(insightPath(insight.id), { name: 'Costs', dashboards: [id] })
    await api.patch(insightPath(insight.id), { dashboards: [] })

    expect(await listActivities(api, insightPath(insight.id))).toEqual([
      ['updated', 'dashboards'],
      ['updated', 'name', 'dashboards'],
      ['created'],
    ])
    expect(await listActivities(api, pathOf(id))).toEqual([
      ['updated', 'tile 1'],
      ['updated', 'tile 1'],
      ['created'],
    ])
  })
})

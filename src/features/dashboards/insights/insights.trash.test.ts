import { describe, expect, it } from 'vitest'
import { type Client, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, insightTile, pathOf } from '../../../../test/support/data/dashboards.ts'
import { createInsight, INSIGHTS, insightPath } from '../../../../test/support/data/insights.ts'

const listTiles = async (client: Client, id: number) => (await client.get(pathOf(id))).body.tiles

const listActivities = async (client: Client, id: number) =>
  (await client.get(insightPath(id, '/activity'))).body.results.map(
    ({ activity }: { activity: string }) => activity,
  )

describe('an insight in the trash', () => {
  it('leaves the list and every dashboard, and stays readable', async () => {
    const api = await useApp()
    const { id: dashboard } = await createDashboard(api)
    const { id } = await createInsight(api, { name: 'Visits', dashboards: [dashboard] })
    expect(await listTiles(api, dashboard)).toHaveLength(1)

    const { status, body } = await api.patch(insightPath(id), { deleted: true })

    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Visits', deleted: true })
    expect((await api.get(insightPath(id))).body).toEqual(body)
    expect((await api.get(INSIGHTS)).body.count).toBe(0)
    expect((await api.get(`${INSIGHTS}?deleted=true`)).body.results).toEqual([body])
    expect(await listTiles(api, dashboard)).toEqual([])
  })

  it('is restored to its dashboards', async () => {
    const api = await useApp()
    const { id: dashboard } = await createDashboard(api)
    const { id } = await createInsight(api, { dashboards: [dashboard] })
    const before = await listTiles(api, dashboard)
    await api.patch(insightPath(id), { deleted: true })

    const { body } = await api.patch(insightPath(id), { deleted: false })

    expect(body).toMatchObject({ deleted: false, dashboards: [dashboard] })
    expect((await listTiles(api, dashboard))[0].id).toBe(before[0].id)
    expect(await listActivities(api, id)).toEqual(['restored', 'deleted', 'created'])
  })

  it('cannot be added to a dashboard', async () => {
    const api = await useApp()
    const { id: dashboard } = await createDashboard(api)
    const { id } = await createInsight(api, { deleted: true })
    const placed = { dashboards: [dashboard] }

    expect(await api.patch(insightPath(id), placed)).toMatchObject({
      status: 400,
      body: { attr: 'dashboards' },
    })
    expect((await api.post(INSIGHTS, { deleted: true, ...placed })).status).toBe(400)
    expect((await api.patch(insightPath(id), { deleted: false, ...placed })).status).toBe(200)
  })

  it('is not restored with a dashboard if it was trashed separately', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [insightTile('Visits')] })
    const { insight } = tiles[0]
    await api.patch(insightPath(insight.id), { deleted: true })
    await api.patch(pathOf(id), { deleted: true, delete_insights: true })

    await api.patch(pathOf(id), { deleted: false })

    expect(await listTiles(api, id)).toEqual([])
    expect((await api.get(insightPath(insight.id))).body.deleted).toBe(true)
  })

  it('can be restored separately if it was trashed with a dashboard', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [insightTile('Visits')] })
    const { insight } = tiles[0]
    await api.patch(pathOf(id), { deleted: true, delete_insights: true })
    expect((await api.get(INSIGHTS)).body.count).toBe(0)

    await api.patch(insightPath(insight.id), { deleted: false })
    await api.patch(insightPath(insight.id), { deleted: true })
    await api.patch(pathOf(id), { deleted: false })

    expect(await listTiles(api, id)).toEqual([])
  })
})

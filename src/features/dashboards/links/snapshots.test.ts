import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  textTile,
} from '../../../../test/support/data/dashboards.ts'
import { toEvent } from '../../../../test/support/data/queries.ts'
import { addVisits, daysAgo, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

interface Link {
  readonly id: number
  readonly access_token: string
}

/** Freezes a link to a dashboard that counts three visits, and adds one that is not frozen. */
async function start() {
  const api = await useApp()
  await addVisits(api, 3)
  const query = visits()
  const { id } = await createDashboard(api, {
    name: 'Sales',
    tiles: [{ insight: { name: 'Visits', query } }, textTile('# Hello', 6)],
  })
  const links = pathOf(id, '/sharing/links')
  const frozen = await api.post(links, { snapshot_at: 'now' })
  expect([frozen.status, frozen.body.snapshot_at]).toEqual([201, expect.stringMatching(/Z$/)])
  const { body: live } = await api.post(links, {})
  const visitor = api.withKey(undefined)
  const read = async ({ access_token }: Link, end = '.json') => {
    const { status, text, body } = await visitor.get(`/shared/${access_token}${end}`)
    expect(status).toBe(200)
    return end === '.json' ? body : text
  }
  return { api, id, links, frozen: frozen.body as Link, live: live as Link, visitor, read }
}

describe('a frozen public link', { tags: 'sql' }, () => {
  it('shows the results of its moment, whatever happens to events, tiles and the dashboard', async () => {
    const { api, id, links, frozen, live, read } = await start()
    await api.post('/api/projects/@current/annotations', { content: 'Too late' })
    const [before, csv] = [await read(frozen), await read(frozen, '.csv')]
    const tile = before.dashboard.tiles.find(({ insight }: { insight: object }) => insight)
    expect(tile.insight).toMatchObject({ name: 'Visits', is_computing: false, is_cached: true })
    expect(JSON.stringify(tile.insight.result)).toContain('"count":3')
    expect(tile.insight.marks).toEqual([])

    await addVisits(api, 4)
    const { body } = await api.get(pathOf(id))
    await api.patch(pathOf(id), {
      name: 'Costs',
      filters: { date_from: '-1d' },
      tiles: body.tiles.map((each: { id: number }) => ({ id: each.id, deleted: true })),
    })

    expect(await read(frozen)).toEqual(before)
    expect(await read(frozen, '.csv')).toBe(csv)
    const page = await until(async () => {
      const text = await read(frozen, '')
      return !text.includes('http-equiv="refresh"') && text
    })
    for (const text of [
      '<h1>Sales</h1>',
      `As of ${new Date().toISOString().slice(0, 10)}`,
      'Visits',
    ])
      expect(page).toContain(text)
    expect(await read(live)).toMatchObject({ dashboard: { name: 'Costs', tiles: [] } })
    const thawed = await api.patch(`${links}/${frozen.id}`, { snapshot_at: null })
    expect(thawed.body.snapshot_at).toBeNull()
    expect(await read(frozen)).toEqual(await read(live))
    const parts = api.db.selectFrom('link_snapshots').selectAll()
    expect(await parts.where('link_id', '=', frozen.id).execute()).toEqual([])
  })

  it('is frozen again on request, and stays as it is when it is sent back', async () => {
    const { api, links, frozen, read } = await start()
    const path = `${links}/${frozen.id}`
    await addVisits(api, 4)

    const { body: same } = await api.patch(path, { ...frozen, label: 'Board' })
    expect(JSON.stringify(await read(frozen))).toContain('"count":3')
    const { body: again } = await api.patch(path, { snapshot_at: 'now' })

    expect(same).toMatchObject({ ...frozen, label: 'Board', views: 0 })
    expect(again.snapshot_at > same.snapshot_at).toBe(true)
    expect(JSON.stringify(await read(frozen))).toContain('"count":7')
  })

  it('shows one insight as it was', async () => {
    const { api, read } = await start()
    const { body: insight } = await api.post('insights', { name: 'Visits', query: visits() })
    const links = `insights/${insight.id}/sharing/links`
    const { body: link } = await api.post(links, { snapshot_at: 'now' })
    const before = await read(link)
    expect(JSON.stringify(before)).toContain('"count":3')

    await addVisits(api, 4)
    await api.patch(`insights/${insight.id}`, {
      name: 'Costs',
      query: visits({ interval: 'hour' }),
    })

    expect(await read(link)).toEqual(before)
    expect(await read(link, '')).toContain('Visits')
    await api.patch(`insights/${insight.id}`, { deleted: true })
    expect((await api.get(`/shared/${link.access_token}.json`)).status).toBe(404)
  })

  it('lets viewers change nothing', async () => {
    const { api, links, frozen, live, visitor } = await start()
    const viewer_filters = { dates: true }

    const refused = [
      await api.post(links, { snapshot_at: 'now', viewer_filters }),
      await api.patch(`${links}/${frozen.id}`, { viewer_filters }),
      await api.patch(`${links}/${live.id}`, { viewer_filters }),
      await api.patch(`${links}/${live.id}`, { snapshot_at: 'now' }),
    ]

    expect(refused.map(({ status, body }) => [status, body.attr])).toEqual([
      [400, 'snapshot_at'],
      [400, 'viewer_filters'],
      [200, undefined],
      [400, 'snapshot_at'],
    ])
    const chosen = await visitor.get(`/shared/${frozen.access_token}.json?date_from=2026-01-01`)
    expect(chosen.status).toBe(403)
  })
})

describe('freezing a public link', () => {
  it.each(['2020-01-01T00:00:00.000Z', 'yesterday', '', true, 7])('refuses %j', async (value) => {
    const api = await useApp()
    const { id } = await createDashboard(api)

    const { status, body } = await api.post(pathOf(id, '/sharing/links'), { snapshot_at: value })

    expect([status, body.attr]).toEqual([400, 'snapshot_at'])
  })

  it('refuses results that are too large to store', async () => {
    const api = await useApp()
    const long = () =>
      toEvent({ event: 'long', at: daysAgo(1), properties: { text: 'x'.repeat(1000) } })
    await api.services.events.append(api.projectId, Array.from({ length: 500 }, long))
    const columns = Array.from({ length: 10 }, (_, at) => `properties.text as c${at}`)
    const query = { kind: 'HogQLQuery', query: `select ${columns} from events limit 500` }
    const { id } = await createDashboard(api, {
      tiles: ['a', 'b'].map((name) => ({ insight: { name, query } })),
    })

    const { status, body } = await api.post(pathOf(id, '/sharing/links'), { snapshot_at: 'now' })
    expect([status, body.attr]).toEqual([400, 'snapshot_at'])
    expect(body.detail).toContain('8 million characters')
    expect((await api.get(pathOf(id, '/sharing/links'))).body.count).toBe(1)
  })

  it('is for those who may edit, and for what is not in the trash', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { tiles: [insightTile('Visits')] })
    const reader = await api.as({})
    await api.patch(pathOf(id), { restriction_level: 37 })
    const links = pathOf(id, '/sharing/links')
    expect((await reader.post(links, { snapshot_at: 'now' })).status).toBe(403)

    await api.patch(pathOf(id), { deleted: true })

    const { status, body } = await api.post(links, { snapshot_at: 'now' })
    expect([status, body.attr]).toEqual([400, 'snapshot_at'])
  })
})

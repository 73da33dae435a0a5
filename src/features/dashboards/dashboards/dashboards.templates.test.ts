import { describe, expect, it } from 'vitest'
import { DASHBOARDS, startApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'

interface Tile {
  readonly color: string | null
  readonly layouts: { sm: Record<string, number>; xs: Record<string, number> }
  readonly insight: { name: string; query: { kind: string; source: Source }; is_sample: boolean }
}
interface Source {
  readonly kind: string
  readonly series?: { event: string }[]
  readonly dateRange: { date_from: string }
}

const placesOf = (tiles: Tile[]) =>
  tiles.map(({ insight, color, layouts: { sm } }) => [
    ...[insight.name, color, sm.x, sm.y, sm.w, sm.h],
  ])

const sourcesOf = (tiles: Tile[]) =>
  tiles.map(({ insight: { query } }) => [query.source.kind, query.source.dateRange.date_from])

describe('a dashboard from a template', () => {
  it('has the nine tiles of WEBSITE_TRAFFIC in their order', async () => {
    const api = await useApp()

    const { status, body } = await api.post(DASHBOARDS, { use_template: 'WEBSITE_TRAFFIC' })

    expect(status).toBe(201)
    expect(placesOf(body.tiles)).toEqual([
      ['Website Unique Users (Total)', 'blue', 0, 0, 6, 5],
      ['Organic SEO Unique Users (Total)', 'green', 6, 0, 6, 5],
      ['Website Unique Users (Breakdown)', 'blue', 0, 5, 6, 5],
      ['Organic SEO Unique Users (Breakdown)', 'green', 6, 5, 6, 5],
      ['Sessions Per User', null, 0, 10, 6, 5],
      ['Pages Per User', null, 6, 10, 6, 5],
      ['Top Website Pages (Overall)', 'black', 0, 15, 6, 8],
      ['Top Website Pages (via Google)', 'black', 6, 15, 6, 8],
      ['Website Users by Location', null, 0, 23, 12, 8],
    ])
    expect((await api.get(pathOf(body.id, '?refresh=force_cache'))).body).toEqual(body)
  })

  it('queries page views of 30 days in WEBSITE_TRAFFIC', async () => {
    const api = await useApp()

    const { filters, tags, tiles } = await createDashboard(api, { use_template: 'WEBSITE_TRAFFIC' })

    expect({ filters, tags }).toEqual({ filters: { date_from: '-30d' }, tags: ['marketing'] })
    expect(sourcesOf(tiles)).toEqual(Array.from({ length: 9 }, () => ['TrendsQuery', '-30d']))
    for (const [index, { insight, layouts }] of (tiles as Tile[]).entries()) {
      expect(insight).toMatchObject({ is_sample: true, query: { kind: 'InsightVizNode' } })
      expect(insight.query.source.series?.[0]?.event).toBe('$pageview')
      expect(layouts.sm).toMatchObject({ i: String(21 + index), minW: 3, minH: 5 })
      expect(layouts.xs).toMatchObject({ x: 0, y: index * 5, w: 1, h: 5, minW: 1 })
    }
  })

  it.each(['DEFAULT_APP', 'Product analytics'])('has the six tiles of %s', async (use_template) => {
    const api = await useApp()

    const { body } = await api.post(DASHBOARDS, { use_template })

    expect(body).toMatchObject({ name: 'Product analytics', use_template, filters: {}, tags: [] })
    expect(placesOf(body.tiles)).toEqual([
      ['Daily active users (DAUs)', 'blue', 0, 0, 6, 5],
      ['Weekly active users (WAUs)', 'green', 6, 0, 6, 5],
      ['Growth accounting', 'purple', 0, 5, 6, 5],
      ['Retention', 'blue', 6, 5, 6, 5],
      ['Referring domain (last 14 days)', 'black', 0, 10, 6, 5],
      ['Pageview funnel, by browser', 'green', 6, 10, 6, 5],
    ])
    expect(body.tiles.map((tile: Tile) => tile.layouts.xs.y)).toEqual([0, 5, 15, 10, 20, 25])
    expect(sourcesOf(body.tiles)).toEqual([
      ['TrendsQuery', '-30d'],
      ['TrendsQuery', '-90d'],
      ['LifecycleQuery', '-30d'],
      ['RetentionQuery', '-7d'],
      ['TrendsQuery', '-14d'],
      ['FunnelsQuery', '-7d'],
    ])
  })

  it('names its origin', async () => {
    const api = await useApp()

    const body = await createDashboard(api, { use_template: 'WEBSITE_TRAFFIC', use_dashboard: 0 })

    expect(body).toMatchObject({
      creation_mode: 'template',
      use_template: 'WEBSITE_TRAFFIC',
      use_dashboard: null,
      created_by: { email: 'owner@example.com' },
    })
    expect(body.tiles[0].insight.created_by).toEqual(body.created_by)
  })

  it.each([
    [{}, { name: 'Website traffic', description: '', tags: ['marketing'] }],
    [{ name: '' }, { name: 'Website traffic' }],
    [{ name: 'Mine' }, { name: 'Mine', tags: ['marketing'] }],
    [{ description: 'Mine' }, { description: 'Mine', filters: { date_from: '-30d' } }],
    [{ tags: ['mine'] }, { tags: ['mine'] }],
    [{ tags: [] }, { tags: [] }],
    [{ filters: { a: 1 } }, { filters: { a: 1 }, tags: ['marketing'] }],
    [
      { pinned: true, restriction_level: 37 },
      { pinned: true, restriction_level: 37 },
    ],
  ])('lets %j override the template', async (sent, expected) => {
    const api = await useApp()

    const { body } = await api.post(DASHBOARDS, { use_template: 'WEBSITE_TRAFFIC', ...sent })

    expect(body).toMatchObject(expected)
    expect(body.tiles).toHaveLength(9)
  })

  it('has its own tiles, even if created twice', async () => {
    const api = await useApp()
    const first = await createDashboard(api, { use_template: 'DEFAULT_APP' })

    const second = await createDashboard(api, { use_template: 'DEFAULT_APP' })

    const insights = [first, second].flatMap(({ tiles }) => tiles).map(({ insight }) => insight.id)
    expect(new Set(insights).size).toBe(12)
  })

  it('can be created with additional tiles', async () => {
    const api = await useApp()

    const { tiles } = await createDashboard(api, {
      use_template: 'DEFAULT_APP',
      tiles: [textTile('Hello', 0, 90)],
    })

    expect(tiles).toHaveLength(7)
    expect(tiles[6].text.body).toBe('Hello')
  })

  it.each(['NO_SUCH', 'default_app', 'DEFAULT_APP ', 'constructor', '__proto__'])(
    'rejects %s, and creates nothing',
    async (use_template) => {
      const api = await startApp()

      const { status, body } = await api.post(DASHBOARDS, { name: 'x', use_template })

      expect(status).toBe(400)
      expect(body).toEqual({
        type: 'validation_error',
        code: 'invalid_input',
        attr: 'use_template',
        detail: `Invalid template provided: ${use_template}`,
      })
      expect((await api.get(DASHBOARDS)).body.count).toBe(0)
      for (const table of ['dashboards', 'activity', 'share_links'] as const) {
        expect(await api.db.selectFrom(table).selectAll().execute()).toEqual([])
      }
    },
  )
})

import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'
import { addVisits, visits } from '../../../../test/support/data/visits.ts'

const tileOf = (fields: object = {}) => ({
  insight: { name: 'Visits', description: 'How many came', query: visits() },
  layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } },
  ...fields,
})

const shownBy = ({ tiles }: { tiles: { show_description: boolean | null }[] }) =>
  tiles.map((tile) => tile.show_description)

describe('show_description of a tile', () => {
  it('is null, or as it was sent', async () => {
    const api = await useApp()

    const { id, tiles } = await createDashboard(api, { tiles: [tileOf(), textTile('Hi', 6)] })
    expect(shownBy({ tiles })).toEqual([null, null])

    for (const show_description of [true, false, null]) {
      const sent = [{ id: tiles[0].id, show_description }]
      const { body } = await api.patch(pathOf(id), { tiles: sent })
      expect(shownBy(body)).toEqual([show_description, null])
      expect(shownBy((await api.get(pathOf(id))).body)).toEqual([show_description, null])
    }
  })

  it('stays when other fields change, and is copied with its tile', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, {
      tiles: [tileOf({ show_description: true })],
    })

    const sent = [{ id: tiles[0].id, color: 'blue' }]
    expect(shownBy((await api.patch(pathOf(id), { tiles: sent })).body)).toEqual([true])
    for (const duplicate_tiles of [true, false]) {
      const copy = await createDashboard(api, { use_dashboard: id, duplicate_tiles })
      expect(shownBy(copy)).toEqual([true])
    }
  })

  it('is logged', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [tileOf()] })

    await api.patch(pathOf(id), { tiles: [{ id: tiles[0].id, show_description: false }] })

    const { body } = await api.get(pathOf(id, '/activity'))
    expect(body.results[0].detail.changes).toMatchObject([
      { field: `tile ${tiles[0].id}`, after: { show_description: false } },
    ])
  })

  it('must be a boolean or null', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [tileOf()] })

    const sent = [{ id: tiles[0].id, show_description: 'yes' }]

    expect(await api.patch(pathOf(id), { tiles: sent })).toMatchObject({
      status: 400,
      body: { attr: 'tiles__0__show_description' },
    })
  })

  it.each([
    [true, '<p class="about">How many came</p>'],
    [null, ''],
    [false, ''],
  ])('%s: shows the description on the shared page as %s', async (show_description, shown) => {
    const api = await useApp()
    await addVisits(api, 1)
    const page = await share(api, tileOf({ show_description }))

    const { text } = await api.withKey(undefined).get(page)

    const head = /<\/h2>\s*(<p class="about">.*<\/p>)?\s*<div class="chart"/.exec(text)
    expect(head?.[1] ?? '').toBe(shown)
  })
})

/** Shares a dashboard with one tile and returns the path of its page. */
async function share(api: TestApp, tile: object): Promise<string> {
  const { id } = await createDashboard(api, { tiles: [tile] })
  const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
  return `/shared/${body.access_token}`
}

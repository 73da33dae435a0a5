import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, insightTile, pathOf } from '../../../../test/support/data/dashboards.ts'
import { addVisits, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

const title = (body: string, section: string, y: number) => ({
  text: { body },
  section,
  layouts: { sm: { x: 0, y, w: 12, h: 1 } },
})
const tile = (name: string, y: number, days: number) => ({
  ...insightTile(name, 0, y),
  insight: { name, query: visits({ dateRange: { date_from: `-${days}d` } }) },
})

/** Shares a dashboard with an open and a folded section. */
async function startShared() {
  const api = await useApp()
  await addVisits(api, 3)
  const { id, tiles } = await createDashboard(api, {
    tiles: [
      title('Open <b>', 'open', 0),
      tile('Seen', 1, 5),
      title('Folded', 'folded', 6),
      tile('Hidden', 7, 6),
    ],
  })
  const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
  const stranger = api.withKey(undefined)
  return { stranger, folded: tiles[2].id as number, page: `/shared/${body.access_token}` }
}

/** Loads the page until nothing is pending. */
const finished = (stranger: Pick<TestApp, 'get'>, path: string) =>
  until(async () => {
    const { text } = await stranger.get(path)
    return !text.includes('http-equiv="refresh"') && text
  })

/** Returns the part of the page from the title of a section. */
const sectionIn = (text: string, id: number) => text.split(`data-section="${id}"`)[1] ?? ''

describe('sections of a shared page', () => {
  it('open without scripts', async () => {
    const { stranger, folded, page } = await startShared()

    const text = await finished(stranger, page)

    expect(text).toMatch(
      /<details class="section" data-section="\d+" open>\s*<summary><h2>Open &lt;b&gt;/,
    )
    expect(text).toMatch(/data-section="\d+">\s*<summary><h2>Folded<\/h2>/)
    expect(text.split('data-section')[1]).toContain('<svg')
    expect(sectionIn(text, folded)).not.toContain('<svg')
    expect(sectionIn(text, folded)).toContain('No result to show.')
  })

  it('compute their tiles when they open', async () => {
    const { stranger, folded, page } = await startShared()
    const [, link] = /<noscript><p><a href="([^"]+)/.exec(await finished(stranger, page)) ?? []

    const text = await finished(stranger, `${page}${link?.replaceAll('&amp;', '&')}`)

    expect(text).toContain(`data-section="${folded}" open>`)
    expect(sectionIn(text, folded)).toContain('<svg')
  })

  it('are in the read model, and compute as its reader opens them', async () => {
    const { stranger, folded, page } = await startShared()
    const read = async (query = '') => (await stranger.get(`${page}.json${query}`)).body.dashboard
    const [seen, hidden] = [1, 3]

    const before = await until(async () => {
      const { tiles } = await read()
      return tiles[seen].insight.result !== null && tiles
    })
    expect(before[hidden].insight).toMatchObject({ result: null, is_computing: false })
    expect(before.map((each: { section: string }) => each.section)).toEqual([
      ...['open', null, 'folded', null],
    ])

    const choices = encodeURIComponent(JSON.stringify({ [folded]: 'open' }))
    await until(
      async () => (await read(`?sections_override=${choices}`)).tiles[hidden].insight.result,
    )
    expect((await stranger.get(`${page}?sections_override=7`)).status).toBe(400)
  })
})

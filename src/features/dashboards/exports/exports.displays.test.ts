import { expect, it } from 'vitest'
import { TREND_DISPLAYS } from '#model/displays.ts'
import { useApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { addVisits, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

/** A box plot shows the values of a property. */
const DURATIONS = [{ kind: 'EventsNode', event: 'visit', math: 'median', math_property: 'seconds' }]

/** Creates a dashboard with one tile of visits, and exports it. */
async function start(display: string) {
  const api = await useApp()
  await addVisits(api, 3, { properties: { seconds: 20 } })
  const query = visits({
    trendsFilter: { display },
    ...(display === 'BoxPlot' && { series: DURATIONS }),
  })
  const { id, tiles } = await createDashboard(api, { name: 'All', tiles: [{ insight: { query } }] })
  const { body: link } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${OWNER.apiKey}` }
    const url = path.startsWith('/') ? api.url + path : api.address(path)
    return Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
  }
  const insight = `insights/${tiles[0].insight.short_id}`
  return {
    saved: (await api.get(`insights/${tiles[0].insight.id}`)).body.query,
    query,
    svg: String(await read(`${insight}/export.svg`)),
    png: await read(`${insight}/export.png`),
    page: await until(async () => {
      const page = String(await read(`/shared/${link.access_token}`))
      return !page.includes('http-equiv="refresh"') && page
    }),
  }
}

it.each(Object.keys(TREND_DISPLAYS))('keeps and draws %s', async (display) => {
  const { saved, query, svg, png, page } = await start(display)

  expect(saved).toEqual(query)
  expect(svg).toMatch(/<(path|text) /)
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  for (const shown of [svg, page]) expect(shown).not.toContain('cannot be drawn')
})

it('draws a calendar in pictures and on shared pages', async () => {
  const { svg, page } = await start('CalendarHeatmap')

  for (const weekday of ['Mon', 'Thu', 'Sun']) {
    expect(svg).toContain(`>${weekday}<`)
    expect(page).toContain(`>${weekday}<`)
  }
})

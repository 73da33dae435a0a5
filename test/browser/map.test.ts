import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { paletteOf, seriesColor } from '#model/palette.ts'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { toEvent } from '../support/data/queries.ts'
import { daysAgo } from '../support/data/visits.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { pageOf } from './dashboard.ts'

const MAP = {
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ event: '$pageview', math: 'total' }],
    dateRange: { date_from: '-30d' },
    breakdownFilter: { breakdown: '$geoip_country_code' },
    trendsFilter: { display: 'WorldMap' },
  },
}

const visit = (person: string, country: string) =>
  toEvent({
    event: '$pageview',
    person,
    at: daysAgo(1),
    properties: { $geoip_country_code: country },
  })

const EVENTS = [visit('ada', 'BR'), visit('ada', 'BR'), visit('bob', 'AU')]

/** Waits for the paths of all countries, which only the part of the renderer that loads with maps draws. */
const seesMap = (page: Page, chart: string) => page.locator(`${chart} svg path`).nth(200).waitFor()

/** Finds the country with the most visitors by its color; the legend has it too. */
const largestIn = (page: Page) =>
  page.locator(`article svg path[fill="${seriesColor(paletteOf('light'), 0)}"]`).last()

it('a map is drawn on a dashboard and a shared page, and leads to the persons of a country', async () => {
  const web = await openWeb()
  const { api, page } = web
  await api.services.events.append(api.projectId, EVENTS)
  const layouts = { sm: { x: 0, y: 0, w: 12, h: 8 } }
  const tile = { insight: { name: 'Countries', query: MAP }, layouts }
  const { id } = await createDashboard(api, { name: 'Places', tiles: [tile] })
  const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })

  await page.goto(`/shared/${body.access_token}`)
  await seesMap(page, '.live')
  await page.goto(pageOf(api, id))
  await seesMap(page, 'article')
  await largestIn(page).hover()
  await page.getByText('66.7%').waitFor()
  await page.getByText('Brazil', { exact: true }).waitFor()
  await largestIn(page).click()
  await page.getByRole('menuitem', { name: 'View persons' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 person', { exact: true }).waitFor()

  expectNoProblems(web)
})

import { describe, expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { createInsight } from '../support/data/insights.ts'
import { addVisits } from '../support/data/visits.ts'
import { expectAccessible, expectOpenedAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { openWeb } from './browser.ts'
import { numberTile, openDashboard, pageOf, tileOf, wordsTile } from './dashboard.ts'

describe('dashboards, insights and templates', () => {
  it(
    'are accessible',
    async () => {
      const web = await openWeb({ bypassCSP: true })
      const { api, page } = web
      const project = `/project/${api.projectId}`
      await addVisits(api, 3)
      await createDashboard(api, { name: 'Old', deleted: true })
      const tiles = [numberTile('Visits', 0), wordsTile('# Hello\n\nSome words', 4)]
      const fields = { name: 'Sales', tags: ['money'], pinned: true, tiles }
      const { id } = await openDashboard(web, fields)
      await createInsight(api, {
        name: 'Sign-ups',
        tags: ['people'],
        dashboards: [id],
        favorited: true,
      })
      await tileOf(page, 'Visits').getByText('3', { exact: true }).waitFor()
      await expectAccessible(page)

      await page.goto(`${pageOf(api, id)}?date_from=-7d&kiosk`)
      await tileOf(page, 'Visits').waitFor()
      expect(await page.locator('.react-resizable-handle').first().isVisible()).toBe(false)
      await expectAccessible(page)

      await page.goto(`${project}/dashboards`)
      await page.getByRole('checkbox', { name: 'Select Sales' }).check()
      await page.getByRole('region', { name: 'Selected dashboards' }).waitFor()
      await expectAccessible(page)
      await page.goto(`${project}/dashboards?view=trash`)
      await page.getByText('1 dashboard in the trash').waitFor()
      await expectAccessible(page)

      await page.goto(`${project}/insights`)
      await page.getByRole('link', { name: 'Sales' }).first().waitFor()
      await expectAccessible(page)

      await page.goto(`${project}/templates`)
      await page.getByRole('heading', { name: 'Import health' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Use Import health' }).click()
      await page.getByRole('dialog').getByLabel('Dashboard name').waitFor()
      await expectOpenedAccessible(page)
    },
    MANY_CHECKS_MS,
  )
})

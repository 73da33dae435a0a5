import { expect, it } from 'vitest'
import { addVisits } from '../support/data/visits.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { numberTile, openDashboard, tileOf } from './dashboard.ts'

/** Below each other, so that the last ones are far below the screen. */
const TILES = Array.from({ length: 9 }, (_, index) => numberTile(`Visits ${index}`, 0, index * 3))

it('prints a dashboard with all charts, and without what cannot be used on paper', async () => {
  const web = await openWeb()
  const { api, page } = web
  await addVisits(api, 31)
  await openDashboard(web, { tiles: TILES })
  const numberOf = (name: string) => tileOf(page, name).getByText('31', { exact: true })
  await numberOf('Visits 0').waitFor()
  expect(await numberOf('Visits 8').count()).toBe(0)

  await page.pdf()

  expect(await numberOf('Visits 8').count()).toBe(1)
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  for (const name of ['Add tile', 'Share', 'Add filter', 'Actions for Visits 0']) {
    expect(await page.getByRole('button', { name }).isVisible(), name).toBe(false)
  }
  expectNoProblems(web)
})

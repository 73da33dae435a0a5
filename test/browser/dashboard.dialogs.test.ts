import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { addVisits } from '../visits.ts'
import { expectAccessible } from './accessible.ts'
import { startWeb } from './browser.ts'
import { chooseFromTile, numberTile, openDashboard, tileOf, wordsTile } from './dashboard.ts'

const chooseMore = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click()

/** What can be opened on a dashboard, and what is there once it is. */
const OPENED: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['Anyone with the link can view', (page) => press(page, 'Share')],
  ['Move to dashboard…', (page) => chooseFromTile(page, 'Visits')],
  ['Purple', (page) => chooseFromTile(page, 'Visits', 'Color')],
  ['Move “Visits” to', (page) => chooseFromTile(page, 'Visits', 'Move to dashboard…')],
  ['Last 14 days', (page) => press(page, 'Tile defaults')],
  ['Event property', (page) => press(page, 'Add filter')],
  ['Existing insight…', (page) => press(page, 'Add tile')],
  ['Full screen', (page) => press(page, 'More actions')],
  ['Owner created dashboard', (page) => chooseMore(page, 'Activity')],
  ['Template name', (page) => chooseMore(page, 'Save as template')],
  ['Preview', (page) => chooseFromTile(page, 'Text', 'Edit')],
]

describe('what is opened on a dashboard', () => {
  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const web = await startWeb({ colorScheme, bypassCSP: true })
    const { api, page } = web
    await addVisits(api, 3)
    await openDashboard(web, { name: 'All', tiles: [numberTile('Visits'), wordsTile('Words', 4)] })
    await tileOf(page, 'Visits').getByText('3', { exact: true }).waitFor()

    for (const [text, open] of OPENED) {
      await open(page)
      await page.getByText(text).first().waitFor()
      await expectAccessible(page)
      await page.reload()
      await tileOf(page, 'Visits').getByText('3', { exact: true }).waitFor()
    }
  })
})

import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { addVisits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { expectOpenedAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { openWeb } from './browser.ts'
import { chooseFromTile, numberTile, openDashboard, tileOf, wordsTile } from './dashboard.ts'

const chooseMore = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click()

const openEmbedCode = async (page: Page) => {
  await press(page, 'Share')
  const isPublic = page.getByRole('switch', { name: 'Anyone with the link can view' })
  await isPublic.waitFor()
  if (!(await isPublic.isChecked())) await isPublic.click()
  await page.getByRole('tab', { name: 'Embed' }).click()
}

/** The calendar is loaded on demand. */
const openDates = async (page: Page) => {
  await press(page, "Dates: Each tile's dates")
  await page.getByRole('button', { name: 'Next month' }).waitFor()
}

/** Text in each dialog and menu of a dashboard, and how to open it. */
const OPENED: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['Paste into the HTML of any page.', openEmbedCode],
  ['Move to dashboard…', (page) => chooseFromTile(page, 'Visits')],
  ['Purple', (page) => chooseFromTile(page, 'Visits', 'Color')],
  ['Move “Visits” to', (page) => chooseFromTile(page, 'Visits', 'Move to dashboard…')],
  ['Last 14 days', openDates],
  ['Apply filter', (page) => press(page, 'Add filter')],
  ['Existing insight…', (page) => press(page, 'Add tile')],
  ['Full screen', (page) => press(page, 'More actions')],
  ['Owner created dashboard', (page) => chooseMore(page, 'Activity')],
  ['Template name', (page) => chooseMore(page, 'Save as template')],
  ['Preview', (page) => chooseFromTile(page, 'Text', 'Edit')],
]

describe('dialogs and menus of a dashboard', () => {
  it(
    'are accessible',
    async () => {
      const web = await openWeb({ bypassCSP: true })
      const { api, page } = web
      await addVisits(api, 3)
      await openDashboard(web, {
        name: 'All',
        tiles: [numberTile('Visits'), wordsTile('Words', 4)],
      })
      await tileOf(page, 'Visits').getByText('3', { exact: true }).waitFor()

      for (const [text, open] of OPENED) {
        await open(page)
        const opened = page.getByText(text).first()
        await opened.waitFor()
        await expectOpenedAccessible(page)
        // a submenu closes before its menu
        await until(async () => {
          await page.keyboard.press('Escape')
          return opened.isHidden()
        })
      }
    },
    MANY_CHECKS_MS,
  )
})

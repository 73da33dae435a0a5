import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { pathOf } from '../support/data/dashboards.ts'
import { until } from '../support/until.ts'
import { openBrowser, openWeb } from './browser.ts'
import {
  openDashboard,
  pageOf,
  stopReading,
  tileOf,
  waitUntilSaved,
  wordsTile,
} from './dashboard.ts'

describe('two people who edit one dashboard', () => {
  it('see each other, and choose whose edit wins when they collide', async () => {
    const web = await openWeb()
    const { api, page } = web
    const { id } = await openDashboard(web, { name: 'Ours' })
    const other = await openBrowser(api)
    const rename = async (by: Page, from: string, to: string) => {
      await by.getByRole('button', { name: from, exact: true }).click()
      await by.getByLabel('Dashboard name').fill(to)
      await by.keyboard.press('Enter')
    }
    const isNamed = (name: string) =>
      until(async () => (await api.get(pathOf(id))).body.name === name)

    await page.getByRole('button', { name: 'Pin to top' }).click()
    await waitUntilSaved(page)
    const colleague = await api.as({})
    await colleague.patch(pathOf(id), { name: 'Shared', tiles: [wordsTile('New')] })
    await page.getByRole('heading', { name: 'Shared' }).waitFor()
    await tileOf(page, 'Text').waitFor()
    await page.getByText(/^User \d+ changed this dashboard.$/).waitFor()
    // the edit that undo would revert was made on an older state
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)

    await other.page.goto(pageOf(api, id))
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this dashboard' })
    for (const [from, theirs, choice, wanted] of [
      ['Shared', 'Theirs', 'Use theirs', 'Theirs'],
      ['Theirs', 'Theirs again', 'Keep mine', 'Mine'],
    ] as const) {
      await page.getByRole('button', { name: from, exact: true }).waitFor()
      const readAgain = await stopReading(page)
      await rename(other.page, from, theirs)
      await isNamed(theirs)
      await api.patch(pathOf(id), { description: `With ${theirs}` })
      await rename(page, from, 'Mine')
      await dialog.getByText('Renamed the dashboard').waitFor()
      await readAgain()
      await dialog.getByRole('button', { name: choice }).click()
      await page.getByRole('heading', { name: wanted, exact: true }).waitFor()
      await dialog.waitFor({ state: 'hidden' })
      await isNamed(wanted)
      expect((await api.get(pathOf(id))).body.description).toBe(`With ${theirs}`)
      await other.page.getByRole('button', { name: wanted, exact: true }).waitFor()
      // an edit that the other browser has not seen yet would be a conflict there too
      await other.page.getByRole('button', { name: `With ${theirs}`, exact: true }).waitFor()
    }
  })
})

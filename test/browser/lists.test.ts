import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DASHBOARDS, type TestApp } from '../support/app/app.ts'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb } from './browser.ts'

/** Returns the names in the list from top to bottom. */
const namesIn = (page: Page): Promise<string[]> =>
  page.getByRole('listitem').getByRole('link').allTextContents()

const expectNames = (page: Page, names: readonly string[]) =>
  until(async () => (await namesIn(page)).join() === names.join())

const rowOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const listOf = ({ projectId }: TestApp): string => `/project/${projectId}/dashboards`

async function openWithSome() {
  const web = await openWeb()
  const { api, page } = web
  const sales = await createDashboard(api, { name: 'Sales', tags: ['money', 'weekly'] })
  const about = { tags: ['money'], description: 'What we spend' }
  const costs = await createDashboard(api, { name: 'Costs', ...about })
  await createDashboard(api, { name: 'Visitors' })
  await page.goto(listOf(api))
  await page.getByText('3 dashboards').waitFor()
  return { ...web, sales, costs }
}

describe('list of dashboards', () => {
  it('finds, sorts, pins, renames, tags, duplicates, deletes and restores dashboards', async () => {
    const web = await openWithSome()
    const { api, page, sales, costs } = web
    const isDeleted = async () => (await api.get(pathOf(costs.id))).body.deleted

    await page.keyboard.press('/')
    await page.keyboard.type('spend')
    await page.getByText('1 dashboard', { exact: true }).waitFor()
    expect(await namesIn(page)).toEqual(['Costs'])
    await page.reload()
    await page.getByText('1 dashboard', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByText('3 dashboards').waitFor()

    await page.getByRole('button', { name: 'Filter by tag money' }).first().click()
    await page.getByText('2 dashboards').waitFor()
    await page.getByRole('combobox', { name: 'Sort' }).click()
    await page.getByRole('option', { name: 'Name, Z to A' }).click()
    await expectNames(page, ['Sales', 'Costs'])
    await page.goto(listOf(api))

    await page.getByRole('button', { name: 'Pin Visitors' }).click()
    await page.getByRole('button', { name: 'Unpin Visitors' }).waitFor()
    await expectNames(page, ['Visitors', 'Costs', 'Sales'])
    expect((await api.get(`${DASHBOARDS}?pinned=true`)).body.count).toBe(1)

    await choose(page, 'Sales', 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Turnover')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Turnover' }).waitFor()
    await choose(page, 'Turnover', 'Edit tags')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Tags' }).fill('new tag')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'Turnover').getByText('new tag').waitFor()
    await choose(page, 'Turnover', 'Duplicate')
    await page.getByRole('link', { name: 'Turnover (Copy)' }).waitFor()
    const copies = (await api.get(`${DASHBOARDS}?search=copy`)).body.results
    expect((await api.get(pathOf(copies[0].id))).body).toMatchObject({
      name: 'Turnover (Copy)',
      creation_mode: 'duplicate',
      use_dashboard: sales.id,
      tags: ['money', 'weekly', 'new tag'],
    })

    await choose(page, 'Costs', 'Move to trash')
    await page.getByText('“Costs” moved to trash').waitFor()
    expect(await isDeleted()).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Costs' }).waitFor()
    expect(await isDeleted()).toBe(false)

    await page.getByRole('checkbox', { name: 'Select Costs' }).check()
    await page.getByRole('checkbox', { name: 'Select Visitors' }).check()
    const bar = page.getByRole('region', { name: 'Selected dashboards' })
    await bar.getByRole('button', { name: 'Add tags' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Tags' }).fill('both')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add tags' }).click()
    await rowOf(page, 'Visitors').getByText('both').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await api.get(`${DASHBOARDS}?tags=both`)
    expect(body.results.map(({ tags }: { tags: string[] }) => tags).sort()).toEqual([
      ['both'],
      ['money', 'both'],
    ])
    await bar.getByRole('button', { name: 'Move to trash' }).click()
    await page.getByText('2 dashboards moved to trash').waitFor()
    await bar.waitFor({ state: 'detached' })
    await page.getByText('Trash', { exact: true }).click()
    await page.getByText('2 dashboards in the trash').waitFor()
    await choose(page, 'Costs', 'Restore')
    await page.getByText('“Costs” restored').waitFor()
    expect(await isDeleted()).toBe(false)
    expectNoProblems(web)
  })

  it('loads a thousand dashboards while scrolling, and renders only those near the viewport', async () => {
    const { api, page } = await openWeb()
    const created = await createDashboard(api, { name: '0000' })
    const { id: _, ...row } = await api.db
      .selectFrom('dashboards')
      .selectAll()
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 999 }, (_, index) => {
      const name = String(index + 1).padStart(4, '0')
      return { ...row, name, name_key: name, search_key: name }
    })
    for (let at = 0; at < rows.length; at += 200) {
      const some = rows.slice(at, at + 200)
      await api.db.insertInto('dashboards').values(some).execute()
    }
    await api.db
      .updateTable('projects')
      .set({ live_dashboards: 1000 })
      .where('id', '=', api.projectId)
      .execute()
    await page.goto(listOf(api))
    await page.getByText('1,000 dashboards').waitFor()

    const last = page.getByRole('link', { name: '0999' })
    await until(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      return (await last.count()) === 1
    }, 100)

    expect(await page.getByRole('listitem').count()).toBeLessThan(120)
    await page.evaluate('scrollTo(0, 0)')
    await page.getByRole('link', { name: '0000' }).waitFor()
  })
})

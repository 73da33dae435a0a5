import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DASHBOARDS } from '../app.ts'
import { createDashboard, pathOf } from '../dashboards.ts'
import { until } from '../until.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, openBrowser, startWeb, type Web } from './browser.ts'

const LIST = '/project/1/dashboards'

/** The names in the list from top to bottom. */
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

async function startWithSome(): Promise<Web> {
  const web = await startWeb()
  await createDashboard(web.api, { name: 'Sales', tags: ['money', 'weekly'] })
  await createDashboard(web.api, { name: 'Costs', tags: ['money'], description: 'What we spend' })
  await createDashboard(web.api, { name: 'Visitors' })
  await web.page.goto(LIST)
  await web.page.getByText('3 dashboards').waitFor()
  return web
}

describe('the list of dashboards', () => {
  it('searches while somebody types, and keeps it in the address', async () => {
    const { page } = await startWithSome()

    await page.keyboard.press('/')
    await page.keyboard.type('spend')

    await page.getByText('1 dashboard', { exact: true }).waitFor()
    expect(await namesIn(page)).toEqual(['Costs'])
    expect(new URL(page.url()).searchParams.get('search')).toBe('spend')
    await page.reload()
    await page.getByText('1 dashboard', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByText('3 dashboards').waitFor()
  })

  it('says when nothing is found, and leads back', async () => {
    const { page } = await startWithSome()
    await page.getByLabel('Search dashboards').fill('nothing like that')

    await page.getByRole('button', { name: 'Clear filters' }).click()

    await page.getByText('3 dashboards').waitFor()
    expect(await page.getByLabel('Search dashboards').inputValue()).toBe('')
  })

  it('filters by tags and sorts', async () => {
    const { page } = await startWithSome()

    await page.getByRole('button', { name: 'Filter by tag money' }).first().click()
    await page.getByText('2 dashboards').waitFor()
    await page.getByRole('combobox', { name: 'Sort' }).click()
    await page.getByRole('option', { name: 'Name, Z to A' }).click()

    await expectNames(page, ['Sales', 'Costs'])
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-name')
  })

  it('has what is pinned first', async () => {
    const { api, page } = await startWithSome()

    await page.getByRole('button', { name: 'Pin Visitors' }).click()

    await page.getByRole('button', { name: 'Unpin Visitors' }).waitFor()
    await expectNames(page, ['Visitors', 'Costs', 'Sales'])
    expect((await api.get(`${DASHBOARDS}?pinned=true`)).body.count).toBe(1)
    await page.getByText('Pinned', { exact: true }).click()
    await page.getByText('1 dashboard', { exact: true }).waitFor()
  })

  it('renames, tags and copies', async () => {
    const { api, page } = await startWithSome()

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
    const copy = (await api.get(pathOf(4))).body
    const tags = ['money', 'weekly', 'new tag']
    expect(copy).toMatchObject({ creation_mode: 'duplicate', use_dashboard: 1, tags })
  })

  it('moves to the trash and back, and undoes either', async () => {
    const { api, page } = await startWithSome()
    const isDeleted = async () => (await api.get(pathOf(2))).body.deleted

    await choose(page, 'Costs', 'Move to trash')
    await page.getByText('“Costs” moved to trash').waitFor()
    expect(await isDeleted()).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Costs' }).waitFor()
    expect(await isDeleted()).toBe(false)
    await choose(page, 'Costs', 'Move to trash')
    await page.getByText('2 dashboards').waitFor()
    await page.getByText('Trash', { exact: true }).click()
    await page.getByText('1 dashboard in the trash').waitFor()
    await choose(page, 'Costs', 'Restore')

    await page.getByText('“Costs” restored').waitFor()
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    expect(await isDeleted()).toBe(false)
  })

  it('changes several at once', async () => {
    const { api, page } = await startWithSome()
    await page.getByRole('checkbox', { name: 'Select Costs' }).check()
    await page.getByRole('checkbox', { name: 'Select Visitors' }).check()
    const bar = page.getByRole('region', { name: 'Selected dashboards' })

    await bar.getByRole('button', { name: 'Add tags' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Tags' }).fill('both')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await rowOf(page, 'Visitors').getByText('both').waitFor()
    await bar.getByRole('button', { name: 'Pin', exact: true }).click()
    await page.getByRole('button', { name: 'Unpin Visitors' }).waitFor()
    const { body } = await api.get(`${DASHBOARDS}?tags=both&pinned=true`)
    expect(body.results.map(({ tags }: { tags: string[] }) => tags)).toEqual([
      ['money', 'both'],
      ['both'],
    ])
    await bar.getByRole('button', { name: 'Move to trash' }).click()

    await page.getByText('2 dashboards moved to trash').waitFor()
    await bar.waitFor({ state: 'detached' })
    expect(await namesIn(page)).toEqual(['Sales'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 dashboards').waitFor()
  })

  it('makes a blank one from the keyboard', async () => {
    const { page } = await startWithSome()

    await page.keyboard.press('n')
    await page.getByRole('menuitem', { name: 'Blank' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Fresh')
    await page.keyboard.press('Enter')

    await page.waitForURL('**/project/1/dashboards/4')
  })

  it('shows what somebody wrote as text', async () => {
    const web = await startWeb()
    const hostile = '<img src=x onerror=alert(1)>'
    await createDashboard(web.api, { name: hostile, description: hostile, tags: [hostile] })

    await web.page.goto(LIST)

    await web.page.getByRole('link', { name: hostile }).waitFor()
    expect(await web.page.locator('main img').count()).toBe(0)
    expectNoProblems(web)
  })

  it('offers no change to whoever may only look', async () => {
    const { api } = await startWeb()
    await createDashboard(api, { name: 'Locked', restriction_level: 37 })
    const member = await api.as({})
    const { page } = await openBrowser(api, { as: member })

    await page.goto(LIST)

    await page.getByRole('link', { name: 'Locked' }).waitFor()
    expect(await page.getByRole('button', { name: 'Pin Locked' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Actions for Locked' }).click()
    expect(await page.getByRole('menuitem', { name: 'Rename' }).isDisabled()).toBe(true)
    expect(await page.getByRole('menuitem', { name: 'Duplicate' }).isDisabled()).toBe(false)
  })

  it('loads a thousand as they are scrolled to, and draws only those near', async () => {
    const { api, page } = await startWeb()
    await createDashboard(api, { name: '0000' })
    const row = await api.db.selectFrom('dashboards').selectAll().executeTakeFirstOrThrow()
    const rows = Array.from({ length: 999 }, (_, index) => {
      const name = String(index + 1).padStart(4, '0')
      return { ...row, id: index + 2, name, name_key: name, search_key: name }
    })
    for (let at = 0; at < rows.length; at += 200) {
      const some = rows.slice(at, at + 200)
      await api.db.insertInto('dashboards').values(some).execute()
    }
    await api.db.updateTable('projects').set({ live_dashboards: 1000 }).execute()
    await page.goto(LIST)
    await page.getByText('1,000 dashboards').waitFor()

    const last = page.getByRole('link', { name: '0999' })
    await until(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      return (await last.count()) === 1
    }, 100)

    expect(await page.getByRole('listitem').count()).toBeLessThan(500)
    await page.evaluate('scrollTo(0, 0)')
    await page.getByRole('link', { name: '0000' }).waitFor()
  })

  it('fits a phone', async () => {
    const { api, page } = await startWeb({ viewport: { width: 360, height: 740 } })
    await createDashboard(api, { name: 'x'.repeat(400), tags: ['y'.repeat(255), 'z'] })

    await page.goto(LIST)

    await page.getByText('1 dashboard', { exact: true }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const { api, page } = await startWeb({ colorScheme, bypassCSP: true })
    await createDashboard(api, { name: 'Sales', tags: ['money'], pinned: true })
    await createDashboard(api, { name: 'Old', deleted: true })
    await page.goto(LIST)
    await page.getByRole('checkbox', { name: 'Select Sales' }).check()
    await page.getByRole('region', { name: 'Selected dashboards' }).waitFor()

    await expectAccessible(page)
    await page.goto(`${LIST}?view=trash`)
    await page.getByText('1 dashboard in the trash').waitFor()
    await expectAccessible(page)
  })
})

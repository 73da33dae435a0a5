import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DASHBOARDS, PROJECT, type TestApp } from '../app.ts'
import { until } from '../until.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, startWeb } from './browser.ts'

const ACTIVITY = '/project/1/activity'
const HOSTILE = '<img src=x onerror="document.title=1">'

async function doThings(api: TestApp) {
  await api.post(DASHBOARDS, { name: 'Growth' })
  await api.patch(`${DASHBOARDS}/1`, { name: 'Growth 2026' })
  await api.patch(`${DASHBOARDS}/1`, { description: HOSTILE, tags: ['weekly'] })
  await api.post(DASHBOARDS, { name: HOSTILE })
}

const untilThereAre = (found: Locator, count: number) =>
  until(async () => (await found.count()) === count)

describe('the activity page', () => {
  it('tells in plain words who did what, and leads to it', async () => {
    const web = await startWeb()
    const { api, page } = web
    await doThings(api)
    await page.goto(ACTIVITY)

    const entries = page.getByRole('listitem')
    await entries.filter({ hasText: 'Owner created dashboard Growth' }).first().waitFor()
    await entries.filter({ hasText: 'Owner renamed dashboard Growth to Growth 2026' }).waitFor()
    await entries.filter({ hasText: `Owner created dashboard ${HOSTILE}` }).waitFor()
    await page.getByRole('heading', { name: /^Today/ }).waitFor()
    const edited = entries.filter({ hasText: 'the description and tags' })
    await edited.getByRole('button', { name: '2 changes' }).click()
    await edited.getByText(HOSTILE).waitFor()
    await edited.getByRole('link', { name: 'Growth 2026' }).click()

    await page.waitForURL('**/project/1/dashboards/1')
    expect(await page.locator('img[src=x]').count()).toBe(0)
    expectNoProblems(web)
  })

  it('is filtered by whoever reaches the project', async () => {
    const { api, page } = await startWeb()
    await doThings(api)
    const member = await api.as({})
    await member.post(DASHBOARDS, { name: 'Theirs' })
    const { first_name } = (await member.get('/api/users/@me')).body
    await page.goto(ACTIVITY)

    await page.getByRole('combobox', { name: 'User' }).click()
    await page.getByRole('option', { name: first_name }).click()

    const entries = page.getByRole('main').getByRole('listitem')
    await untilThereAre(entries, 1)
    await entries.filter({ hasText: `${first_name} created dashboard Theirs` }).waitFor()
  })

  it('is filtered, and keeps that in the address', async () => {
    const { api, page } = await startWeb()
    await doThings(api)
    await api.patch(PROJECT, { name: 'Shop' })
    await page.goto(ACTIVITY)
    const entries = page.getByRole('main').getByRole('listitem')
    await untilThereAre(entries, 5)

    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Dashboards' }).click()
    await untilThereAre(entries, 4)
    await page.getByRole('textbox', { name: 'Search by name' }).fill('202')
    await untilThereAre(entries, 2)
    await page.keyboard.type('6') // whoever types on is still in the field
    await until(() => page.url().includes('2026'))
    expect(new URL(page.url()).searchParams.get('scope')).toBe('Dashboard')
    await page.reload()
    await untilThereAre(entries, 2)
    await page.getByRole('button', { name: 'Clear filters' }).click()

    await untilThereAre(entries, 5)
  })

  it('shows older entries on demand, and says when there are none', async () => {
    const { api, page } = await startWeb()
    for (let n = 0; n < 60; n++) await api.post(DASHBOARDS, { name: `D${n}` })
    await page.goto(ACTIVITY)
    const entries = page.getByRole('main').getByRole('listitem')
    await untilThereAre(entries, 50)

    await page.getByRole('button', { name: 'Load more' }).click()

    await untilThereAre(entries, 60)
    await page.goto(`${ACTIVITY}?search=nothing`)
    await page.getByText('No activity matches these filters.').waitFor()
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const { api, page } = await startWeb({ colorScheme, bypassCSP: true })
    await doThings(api)
    await page.goto(ACTIVITY)

    await page.getByRole('button', { name: '2 changes' }).click()

    await expectAccessible(page)
  })
})

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { expectNoProblems, openBrowser, openWeb } from './browser.ts'
import { addEvents, choose, drawn, newInsight } from './insights.ts'

const readQuery = (page: Page): string | null => new URL(page.url()).searchParams.get('q')

const eventOf = (page: Page, series: string) =>
  page.getByRole('combobox', { name: `Event of ${series}` })

describe('URL of the insight editor', () => {
  it('keeps the query through a reload, the back button and a shared link', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addEvents(api)
    await page.goto(newInsight(api))
    await drawn(page)
    expect(readQuery(page)).toBe(null)

    await page.getByRole('tab', { name: 'Funnel' }).click()
    await choose(page, 'Event of step 2', 'signed_up')
    await until(() => readQuery(page)?.length)
    await until(() => atob(readQuery(page) ?? '').includes('signed_up'))

    await page.reload()
    await until(async () => (await eventOf(page, 'step 2').inputValue()) === 'signed_up')
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(`**/project/${api.projectId}/events`)
    await page.goBack()
    await until(async () => (await eventOf(page, 'step 2').inputValue()) === 'signed_up')
    const other = await openBrowser(api)
    await other.page.goto(page.url())
    await until(async () => (await eventOf(other.page, 'step 2').inputValue()) === 'signed_up')
    expectNoProblems(web)
  })
})

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createInsight } from '../insights.ts'
import { until } from '../until.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'
import { addEvents, choose, drawn, NEW } from './insights.ts'

const queryOf = (page: Page): string | null => new URL(page.url()).searchParams.get('q')

const eventOf = (page: Page, series: string) =>
  page.getByRole('combobox', { name: `Event of ${series}` })

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('the address of the insight editor', () => {
  it('keeps what is asked through a reload, the way back and a link that is sent', async () => {
    const web = await startWeb()
    const { api, page } = web
    await addEvents(api)
    await page.goto(NEW)
    await drawn(page)
    expect(queryOf(page)).toBe(null)

    await page.getByRole('tab', { name: 'Funnel' }).click()
    await choose(page, 'Event of step 2', 'signed_up')
    await until(() => queryOf(page)?.length)
    await until(() => atob(queryOf(page) ?? '').includes('signed_up'))

    await page.reload()
    await until(async () => (await eventOf(page, 'step 2').inputValue()) === 'signed_up')
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/project/1/events')
    await page.goBack()
    await until(async () => (await eventOf(page, 'step 2').inputValue()) === 'signed_up')
    const other = await openBrowser(api)
    await other.page.goto(page.url())
    await until(async () => (await eventOf(other.page, 'step 2').inputValue()) === 'signed_up')
    expectNoProblems(web)
  })

  it('says nothing of what is saved, and forgets what is discarded', async () => {
    const { api, page } = await startWeb()
    await addEvents(api)
    const { short_id } = await createInsight(api, {
      name: 'Visits',
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
    })
    await page.goto(`/project/1/insights/${short_id}`)
    await drawn(page)

    await choose(page, 'Event of series A', 'signed_up')
    await until(() => queryOf(page) !== null)
    await page.getByRole('button', { name: 'Discard' }).click()
    await until(() => queryOf(page) === null)
    expect(await eventOf(page, 'series A').inputValue()).toBe('$pageview')
    await choose(page, 'Event of series A', 'signed_up')
    await until(() => queryOf(page) !== null)
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByText('Saved.').waitFor()
    await until(() => queryOf(page) === null)
    expect(await eventOf(page, 'series A').inputValue()).toBe('signed_up')
  })

  it.each([
    ['no query', '%%%'],
    ['another kind of thing', encode({ kind: 'ActorsQuery' })],
    ['series that are none', encode({ kind: 'TrendsQuery', series: 5 })],
    ['filters that are none', encode({ kind: 'TrendsQuery', series: [], properties: [[['x']]] })],
    ['steps that are markup', encode({ kind: 'FunnelsQuery', series: '<img src=x onerror=x>' })],
    ['more than an address holds', encode({ kind: 'HogQLQuery', query: 'x'.repeat(5000) })],
  ])('may hold %s, and a new insight is shown', async (_, q) => {
    const web = await startWeb()
    const { page } = web
    await page.goto(`${NEW}?q=${encodeURIComponent(q)}`)

    await page.getByText('The query in this link is invalid').waitFor()

    await eventOf(page, 'series A').waitFor()
    await until(() => queryOf(page) === null)
    expectNoProblems(web)
  })
})

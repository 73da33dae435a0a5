import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DASHBOARDS, type TestApp } from '../app.ts'
import { toEvent } from '../queries.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, startWeb } from './browser.ts'

const NEW = '/project/1/insights/new'
const HOSTILE = `<img src=x onerror=alert(1)> it's`

/** Two people with a browser each do one thing after the other. */
const addEvents = (api: TestApp, names = ['$pageview', 'signed_up']) =>
  api.services.events.append(
    1,
    names.flatMap((event, step) =>
      ['Firefox', 'Chrome'].map((browser, person) =>
        toEvent({
          event,
          person: `p${person}`,
          at: new Date(Date.now() - 3_600_000 + step * 60_000).toISOString(),
          properties: { $browser: browser },
        }),
      ),
    ),
  )

async function choose(page: Page, name: string, value: string): Promise<void> {
  const box = page.getByRole('combobox', { name })
  await box.click()
  await box.fill(value)
  await page.getByRole('option', { name: value }).first().click()
}

const drawn = (page: Page) => page.getByRole('img', { name: /./ }).waitFor()

describe('the insight editor', () => {
  it('builds a trend from two series, a breakdown and a formula, and saves it to a dashboard', async () => {
    const web = await startWeb()
    const { api, page } = web
    await addEvents(api)
    await api.post(DASHBOARDS, { name: 'Growth' })
    await page.goto(`${NEW}?dashboard=1`)
    await drawn(page)

    await choose(page, 'Event of series A', 'signed_up')
    await page.getByRole('button', { name: 'Add series' }).click()
    await choose(page, 'Event of series B', '$pageview')
    await page.getByRole('combobox', { name: 'Measure of series B' }).click()
    await page.getByRole('option', { name: 'Unique users' }).click()
    await choose(page, 'Break down by', '$browser')
    await page.getByRole('textbox', { name: 'Formula', exact: true }).fill('A / B * 100')
    await page.getByRole('tab', { name: 'Show data' }).click()
    await page.getByRole('columnheader', { name: 'Firefox' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Sign-ups per visitor')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.waitForURL('**/project/1/dashboards/1')
    const { body } = await api.get('/api/environments/1/insights')
    expect(body.results).toMatchObject([
      {
        name: 'Sign-ups per visitor',
        dashboards: [1],
        query: {
          kind: 'InsightVizNode',
          source: {
            kind: 'TrendsQuery',
            series: [{ event: 'signed_up' }, { event: '$pageview', math: 'dau' }],
            breakdownFilter: { breakdown: '$browser' },
            trendsFilter: { formula: 'A / B * 100' },
          },
        },
      },
    ])
    expectNoProblems(web)
  })

  it('counts the steps of a funnel, filtered, and shows it again', async () => {
    const web = await startWeb()
    const { api, page } = web
    await addEvents(api)
    await page.goto(NEW)
    await page.getByRole('tab', { name: 'Funnel' }).click()

    await choose(page, 'Event of step 1', '$pageview')
    await choose(page, 'Event of step 2', 'signed_up')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await choose(page, 'Property', '$browser')
    await page.getByRole('combobox', { name: 'Values' }).fill('Firefox')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/insights\/(?!new)/)
    await page.reload()
    await page.getByRole('tab', { name: 'Show data' }).click()

    const cells = page.getByRole('row').filter({ hasText: 'signed_up' }).getByRole('cell')
    await cells.first().waitFor()
    expect((await cells.allTextContents()).slice(0, 4)).toEqual(['2', 'signed_up', '1', '1'])
    expectNoProblems(web)
  })

  it('says at the field what is wrong with it, and keeps the last chart', async () => {
    const { api, page } = await startWeb()
    await addEvents(api)
    await page.goto(NEW)
    await drawn(page)

    const formula = page.getByRole('textbox', { name: 'Formula', exact: true })
    await formula.fill('A / Z')

    const field = page.locator('.mantine-TextInput-root').filter({ has: formula })
    await field.getByText(/Z/).waitFor()
    expect(await formula.getAttribute('aria-invalid')).toBe('true')
    await drawn(page)
    await formula.fill('A / 2')
    await field.getByText(/Z/).waitFor({ state: 'detached' })
  })

  it('completes SQL, and shows what somebody has named an event as text', async () => {
    const web = await startWeb()
    const { api, page } = web
    await addEvents(api, [HOSTILE])
    await page.route('**/event_definitions*', (route) =>
      route.fulfill({ json: { results: [{ name: HOSTILE }] } }),
    )
    await page.goto(NEW)
    await page.getByRole('tab', { name: 'SQL' }).click()
    const editor = page.getByRole('textbox', { name: 'SQL query' })

    await editor.press('Control+a')
    await editor.press('Delete')
    await page.keyboard.insertText("select event, count() as n from events where event = '")
    await editor.pressSequentially('<')
    await page.getByRole('option', { name: HOSTILE }).click()
    await page.keyboard.insertText("' group by event")
    await editor.press('Control+Enter')

    await page.getByRole('cell', { name: HOSTILE }).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expectNoProblems(web)
  })

  it('asks before edits are lost', async () => {
    const { api, page } = await startWeb()
    await addEvents(api)
    await page.goto(NEW)
    await page.getByRole('textbox', { name: 'Name' }).fill('Half done')

    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(page.url()).toContain(NEW)
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()

    await page.waitForURL('**/project/1/events')
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const { api, page } = await startWeb({ colorScheme, bypassCSP: true })
    await addEvents(api)

    for (const kind of ['Trends', 'Retention', 'SQL']) {
      await page.goto(NEW)
      await page.getByRole('tab', { name: kind, exact: true }).click()
      await page.getByText('Computed', { exact: true }).waitFor()
      await expectAccessible(page)
    }
  })

  it('fits a phone', async () => {
    const { api, page } = await startWeb({ viewport: { width: 360, height: 740 } })
    await addEvents(api)
    await page.goto(NEW)
    await drawn(page)

    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )

    expect(overflow).toBe(0)
    await page.getByRole('button', { name: 'Add series' }).click()
    await page.getByRole('combobox', { name: 'Event of series B' }).waitFor()
  })
})

import { describe, expect, it } from 'vitest'
import { DASHBOARDS } from '../app.ts'
import { until } from '../until.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, startWeb } from './browser.ts'
import { addEvents, choose, drawn, NEW } from './insights.ts'

const HOSTILE = `<img src=x onerror=alert(1)> it's`

const KINDS = {
  Trends: '',
  Funnel: 'FunnelsQuery',
  Retention: 'RetentionQuery',
  Lifecycle: 'LifecycleQuery',
  Stickiness: 'StickinessQuery',
  Paths: 'PathsQuery',
  SQL: 'HogQLQuery',
}

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
    const { body } = await api.get('insights')
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
    const option = page.getByRole('option', { name: HOSTILE })
    await until(async () => {
      if (await option.isVisible()) return true
      // the names came after the key: then they have to be asked for
      await editor.press('Control+Space')
      await page.waitForTimeout(300)
      return false
    })
    await option.click()
    await page.keyboard.insertText("' group by event")
    await editor.press('Control+Enter')

    await page.getByRole('cell', { name: HOSTILE }).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expectNoProblems(web)
  })

  it('runs the SQL that stands there, however soon after the last key', async () => {
    const { api, page } = await startWeb()
    await addEvents(api)
    await page.goto(NEW)
    await page.getByRole('tab', { name: 'SQL' }).click()
    const editor = page.getByRole('textbox', { name: 'SQL query' })
    await editor.press('Control+a')
    await page.keyboard.insertText('select 40 + count() as n from events')

    // both in one go: nothing outside of the editor knows of the text yet
    await page.evaluate(`{
      const element = document.querySelector('.cm-content')
      const { view } = element.cmTile
      view.dispatch({ changes: { from: view.state.doc.length, insert: " where event = 'none'" } })
      const key = { key: 'Enter', ctrlKey: true, bubbles: true }
      element.dispatchEvent(new KeyboardEvent('keydown', key))
    }`)

    await page.getByRole('cell', { name: '40', exact: true }).waitFor()
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

    await page.goto(NEW)
    for (const [name, kind] of Object.entries(KINDS)) {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.getByText('Computed', { exact: true }).waitFor()
      // what has been answered stands in the address
      await until(() => atob(new URL(page.url()).searchParams.get('q') ?? '').includes(kind))
      await page.locator('[aria-busy="false"]').waitFor()
      await expectAccessible(page)
    }
  })

  it('puts series into another order by keyboard, each with what is open in it', async () => {
    const { api, page } = await startWeb()
    await addEvents(api)
    await page.goto(NEW)
    await choose(page, 'Event of series A', '$pageview')
    await page.getByRole('button', { name: 'Add series' }).click()
    await choose(page, 'Event of series B', 'signed_up')
    await page.getByRole('button', { name: 'Actions for series B' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name of series B' }).fill('New people')

    await page.getByRole('button', { name: 'Move series B' }).press('Space')
    await page.getByText('series B is at place 2 of 2.').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowUp')
    await page.getByText('series B is at place 1 of 2.').waitFor({ state: 'attached' })
    await page.keyboard.press('Space')

    const name = page.getByRole('textbox', { name: 'Name of series A' })
    await until(async () => (await name.inputValue()) === 'New people')
    const event = page.getByRole('combobox', { name: 'Event of series B' })
    expect(await event.inputValue()).toBe('$pageview')
    expect(await page.getByRole('textbox', { name: 'Name of series B' }).count()).toBe(0)
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

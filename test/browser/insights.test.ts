import { describe, expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { addEvents, choose, drawn, newInsight } from './insights.ts'

const HOSTILE = `<img src=x onerror=alert(1)> it's`

describe('insight editor', () => {
  it('builds a trend from two series, a breakdown and a formula, and saves it to a dashboard', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addEvents(api)
    const { id } = await createDashboard(api, { name: 'Growth' })
    await page.goto(`${newInsight(api)}?dashboard=${id}`)
    await drawn(page)

    await choose(page, 'Event of series A', 'signed_up')
    await page.getByRole('button', { name: 'Add series' }).click()
    await choose(page, 'Event of series B', '$pageview')
    await page.getByRole('combobox', { name: 'Measure of series B' }).click()
    await page.getByRole('option', { name: 'Unique users' }).click()
    await choose(page, 'Break down by', '$browser')
    await page.getByRole('textbox', { name: 'Formula', exact: true }).fill('A / B * 100')
    await page.getByRole('tab', { name: 'Show data' }).click()
    // two columns until the formula replaces the series
    const columns = page.getByRole('columnheader', { name: 'Firefox' })
    await until(async () => (await columns.count()) === 1)
    await page.getByRole('textbox', { name: 'Name' }).fill('Sign-ups per visitor')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.waitForURL(`**/project/${api.projectId}/dashboards/${id}`)
    const { body } = await api.get('insights')
    expect(body.results).toMatchObject([
      {
        name: 'Sign-ups per visitor',
        dashboards: [id],
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

  it('draws paths in place of a trend', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addEvents(api)
    await page.goto(newInsight(api))
    const drawing = page.getByRole('main').getByRole('img')
    await drawing.locator('svg').waitFor()

    await page.getByRole('tab', { name: 'Paths' }).click()

    await drawing.getByText('signed_up').waitFor()
    expectNoProblems(web)
  })

  it('saves a filtered funnel and shows it again', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addEvents(api)
    await page.goto(newInsight(api))
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

  it('completes SQL, shows markup in event names as text, and runs the newest text', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addEvents(api, [HOSTILE])
    const names = Promise.withResolvers<void>()
    await page.route('**/event_definitions*', async (route) => {
      await names.promise
      await route.fulfill({ json: { results: [{ name: HOSTILE }] } })
    })
    await page.goto(newInsight(api))
    await page.getByRole('tab', { name: 'SQL' }).click()
    const editor = page.getByRole('textbox', { name: 'SQL query' })

    await editor.press('Control+a')
    await page.keyboard.insertText("select event, count() as n from events where event = '")
    await editor.pressSequentially('<')
    names.resolve() // completion waits for names that are still loading
    await page.getByRole('option', { name: HOSTILE }).click()
    await until(async () => (await editor.textContent())?.includes("it''s"))
    await page.keyboard.insertText("' group by event")
    await editor.press('Control+Enter')

    await page.getByRole('cell', { name: HOSTILE }).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)

    await editor.press('Control+a')
    await page.keyboard.insertText('select 40 + count() as n from events')

    // in one step, before anything outside the editor has the new text
    await page.evaluate(`{
      const element = document.querySelector('.cm-content')
      const { view } = element.cmTile
      view.dispatch({ changes: { from: view.state.doc.length, insert: " where event = 'none'" } })
      const key = { key: 'Enter', ctrlKey: true, bubbles: true }
      element.dispatchEvent(new KeyboardEvent('keydown', key))
    }`)

    await page.getByRole('cell', { name: '40', exact: true }).waitFor()
    expectNoProblems(web)
  })

  it('reorders series by keyboard, with their open fields', async () => {
    const { api, page } = await openWeb()
    await addEvents(api)
    await page.goto(newInsight(api))
    await choose(page, 'Event of series A', '$pageview')
    await page.getByRole('button', { name: 'Add series' }).click()
    await choose(page, 'Event of series B', 'signed_up')
    await page.getByRole('button', { name: 'Actions for series B' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name of series B' }).fill('New people')

    await page.getByRole('button', { name: 'Move series B' }).press('Space')
    await page.getByText('series B is at position 2 of 2.').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowUp')
    await page.getByText('series B is at position 1 of 2.').waitFor({ state: 'attached' })
    await page.keyboard.press('Space')

    const name = page.getByRole('textbox', { name: 'Name of series A' })
    await until(async () => (await name.inputValue()) === 'New people')
    const event = page.getByRole('combobox', { name: 'Event of series B' })
    expect(await event.inputValue()).toBe('$pageview')
    expect(await page.getByRole('textbox', { name: 'Name of series B' }).count()).toBe(0)
  })
})

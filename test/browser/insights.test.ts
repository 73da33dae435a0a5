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
    await choose(page, 'Event of series B', 'Page view')
    await page.getByRole('combobox', { name: 'Measure of series B' }).click()
    await page.getByRole('option', { name: 'Unique users' }).click()
    await choose(page, 'Break down by', 'browser')
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
})

import { describe, expect, it } from 'vitest'
import { createInsight } from '../support/data/insights.ts'
import { addVisits, daysAgo, visits } from '../support/data/visits.ts'
import { expectNoProblems, openWeb } from './browser.ts'

/** Ends after today, so that the annotation is on the chart even if a day begins during the test. */
const OVER_TIME = {
  trendsFilter: { display: 'ActionsLineGraph' },
  interval: 'day',
  dateRange: { date_from: '-3d', date_to: daysAgo(-2).slice(0, 10) },
}

describe('annotations of an insight', () => {
  it('are created in the menu and marked on the chart', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addVisits(api, 3)
    const { short_id } = await createInsight(api, { name: 'Visits', query: visits(OVER_TIME) })
    await page.goto(`/project/${api.projectId}/insights/${short_id}`)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Annotations' }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Version 2')
    await page.getByRole('button', { name: 'Add annotation' }).click()
    await page.getByRole('button', { name: 'Delete annotation: Version 2' }).waitFor()
    await page.keyboard.press('Escape')

    const chart = page.getByRole('main').getByRole('img', { name: 'Visits' })
    await chart.getByText('Version 2', { exact: true }).waitFor()
    expect(await chart.getAttribute('aria-description')).toContain('Annotations: Version 2.')
    const { body } = await api.get('annotations')
    expect(body.results).toMatchObject([{ content: 'Version 2', scope: 'dashboard_item' }])
    expectNoProblems(web)
  })
})

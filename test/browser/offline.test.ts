import { expect, it, onTestFinished } from 'vitest'
import { pathOf } from '../support/data/dashboards.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { numberTile, openDashboard } from './dashboard.ts'

it('keeps a page and its edit while the server cannot be reached, and saves it afterwards', async () => {
  const web = await openWeb()
  const { api, page } = web
  onTestFinished(() => page.context().setOffline(false))
  const { id } = await openDashboard(web, { name: 'Growth', tiles: [numberTile('Visits')] })
  await page.getByRole('article', { name: 'Visits' }).waitFor()
  await page.waitForLoadState('networkidle')
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.message())
    void dialog.dismiss()
  })

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Pin to top' }).click()
  await page.getByText("Not saved: Can't reach the server.").waitFor()
  await page.getByRole('link', { name: 'Insights' }).click()
  // the browser asks if the app's own dialog was not loaded before
  const dialog = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await until(async () => questions.length > 0 || (await dialog.isVisible()))
  if (questions.length === 0) await dialog.getByRole('button', { name: 'Cancel' }).click()

  expect(questions.filter((question) => !question.includes('Discard unsaved changes?'))).toEqual([])
  await page.getByRole('heading', { name: 'Growth', level: 1 }).waitFor()
  await page.context().setOffline(false)
  await page.getByText(/^Saved/).waitFor()
  expect((await api.get(pathOf(id))).body.pinned).toBe(true)
  // the next page was preloaded, or not
  const problems = web.problems.filter((problem) => !problem.includes('Unable to preload'))
  expectNoProblems({ problems })
})

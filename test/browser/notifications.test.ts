import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startTestWorker } from '../support/app/import-app.ts'
import { SUBSCRIPTIONS, startAlertApp } from '../support/data/alerts.ts'
import { createDashboard } from '../support/data/dashboards.ts'
import { isSigned } from '../support/servers/receiver.ts'
import { expectNoProblems, openBrowser } from './browser.ts'
import { pageOf } from './dashboard.ts'

async function chooseAction(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const shownOnce = async (page: Page): Promise<string> =>
  (await page.getByTestId('shown-once').textContent()) ?? ''

it('creates, tests, re-signs, edits, pauses and deletes a subscription', async () => {
  const api = await startAlertApp()
  const web = { api, ...(await openBrowser(api)) }
  const { page } = web
  startTestWorker(api)
  const dashboard = await createDashboard(api, { name: 'Shop' })
  await page.goto(pageOf(api, dashboard.id))
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Subscriptions' }).click()
  await page.getByRole('dialog', { name: 'Shop' }).waitFor()

  await page.getByRole('button', { name: 'Create subscription' }).click()
  const form = page.getByRole('dialog', { name: 'Create subscription' })
  await choose(page, 'Frequency', 'Daily')
  await page.getByLabel('URL').fill('ftp://example.com')
  await form.getByRole('button', { name: 'Create subscription' }).click()
  await page.getByText('Enter a valid URL.').waitFor()
  await page.getByLabel('URL').fill(`${api.receiver.url}/shop`)
  await form.getByRole('button', { name: 'Create subscription' }).click()
  const secret = await shownOnce(page)
  await page.getByRole('button', { name: 'Done' }).click()

  await chooseAction(page, 'Shop', 'Send test')
  const [test] = await api.receiver.waitFor(1)
  expect(test && isSigned(test, secret)).toBe(true)
  await page.getByText('delivered', { exact: true }).waitFor()

  await chooseAction(page, 'Shop', 'Rotate signing secret')
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  const another = await shownOnce(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await chooseAction(page, 'Shop', 'Send test')
  const [, again] = await api.receiver.waitFor(2)
  expect(again && isSigned(again, another)).toBe(true)

  await chooseAction(page, 'Shop', 'Edit')
  await page.getByLabel('Title').fill('The shop, daily')
  await choose(page, 'Time (UTC)', '07:00')
  await page.getByRole('button', { name: 'Save subscription' }).click()
  await page.getByText('Shop · Daily at 07:00').waitFor()
  await page.getByLabel('Enable The shop, daily').click({ force: true })
  await page.getByText('paused', { exact: true }).waitFor()
  const { body } = await api.get(`${SUBSCRIPTIONS}?dashboard=${dashboard.id}`)
  expect(body.results).toMatchObject([{ title: 'The shop, daily', hour: 7, enabled: false }])

  await chooseAction(page, 'The shop, daily', 'Delete')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No subscriptions yet').waitFor()
  expectNoProblems(web)
})

it('shows on the tile that an alert fires, and lists it among the alerts of the project', async () => {
  const api = await startAlertApp()
  const web = { api, ...(await openBrowser(api)) }
  const { page } = web
  const alert = await api.createAlert({ name: 'Many orders' })
  await api.order(5)
  await api.refresh(alert.id)
  const tiles = [{ insight: { id: api.insight.id } }]
  const dashboard = await createDashboard(api, { name: 'Shop', tiles })
  await page.goto(pageOf(api, dashboard.id))

  await page.getByRole('button', { name: 'An alert is firing' }).click()
  await page.getByRole('dialog').getByText('Firing', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Alerts' }).click()

  await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor()
  await page.getByText('Many orders').waitFor()
  await page.getByText(/next check/).waitFor()
  await page
    .getByRole('link', { name: /orders/i })
    .first()
    .click()
  await page.waitForURL(`**/insights/${api.insight.short_id}`)
  expectNoProblems(web)
})

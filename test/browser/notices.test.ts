import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ALERTS, type AlertApp, SUBSCRIPTIONS, startAlertApp } from '../alerts.ts'
import { createDashboard } from '../dashboards.ts'
import { startTestWorker } from '../import-app.ts'
import { createInsight, insightPath } from '../insights.ts'
import { isSigned } from '../receiver.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, type OpenOptions, openBrowser } from './browser.ts'
import { pageOf } from './dashboard.ts'

async function startNotices(options?: OpenOptions) {
  const api = await startAlertApp()
  return { api, ...(await openBrowser(api, options)) }
}

async function openFromDashboard({ api, page }: { api: AlertApp; page: Page }) {
  const dashboard = await createDashboard(api, { name: 'Shop' })
  await page.goto(pageOf(dashboard.id))
  await page.getByRole('button', { name: 'More of this dashboard' }).click()
  await page.getByRole('menuitem', { name: 'Subscriptions' }).click()
  await page.getByRole('dialog', { name: 'Shop' }).waitFor()
  return dashboard
}

async function openFromInsight({ api, page }: { api: AlertApp; page: Page }) {
  await page.goto(`/project/1/insights/${api.insight.short_id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Alerts and subscriptions' }).click()
  await page.getByRole('dialog', { name: 'Orders' }).waitFor()
}

async function chooseOf(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

const shownOnce = async (page: Page): Promise<string> =>
  (await page.getByTestId('shown-once').textContent()) ?? ''

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe('subscriptions', () => {
  it('are made of a dashboard, tested, signed anew, changed, paused and deleted', async () => {
    const web = await startNotices()
    const { api, page } = web
    startTestWorker(api)
    const dashboard = await openFromDashboard(web)

    await page.getByRole('button', { name: 'Create subscription' }).click()
    await choose(page, 'Frequency', 'Daily')
    await page.getByLabel('URL').fill('ftp://example.com')
    await page
      .getByRole('dialog', { name: 'Create subscription' })
      .getByRole('button', { name: 'Create subscription' })
      .click()
    await page.getByText('Enter a valid URL.').waitFor()
    await page.getByLabel('URL').fill(`${api.receiver.url}/shop`)
    await page
      .getByRole('dialog', { name: 'Create subscription' })
      .getByRole('button', { name: 'Create subscription' })
      .click()
    const secret = await shownOnce(page)
    await page.getByRole('button', { name: 'Done' }).click()

    await chooseOf(page, 'Shop', 'Send test')
    const [test] = await api.receiver.waitFor(1)
    expect(test && isSigned(test, secret)).toBe(true)
    await page.getByText('delivered', { exact: true }).waitFor()

    await chooseOf(page, 'Shop', 'Rotate signing secret')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    const another = await shownOnce(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await chooseOf(page, 'Shop', 'Send test')
    const [, again] = await api.receiver.waitFor(2)
    expect(again && isSigned(again, another)).toBe(true)

    await chooseOf(page, 'Shop', 'Edit')
    await page.getByLabel('Title').fill('The shop, daily')
    await choose(page, 'Time (UTC)', '07:00')
    await page.getByRole('button', { name: 'Save subscription' }).click()
    await page.getByText('Shop · Daily at 07:00').waitFor()
    await page.getByLabel('Enable The shop, daily').click({ force: true })
    await page.getByText('paused', { exact: true }).waitFor()
    const { body } = await api.get(`${SUBSCRIPTIONS}?dashboard=${dashboard.id}`)
    expect(body.results).toMatchObject([{ title: 'The shop, daily', hour: 7, enabled: false }])

    await chooseOf(page, 'The shop, daily', 'Delete')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No subscriptions yet').waitFor()
    expectNoProblems(web)
  })

  it('are made of whatever is chosen in the settings', async () => {
    const { api, page } = await startNotices()
    await page.goto('/project/1/settings/alerts')

    await page.getByRole('button', { name: 'Create subscription' }).click()
    await page.getByText('Insight', { exact: true }).click()
    await choose(page, 'Insight', 'Orders')
    await page.getByLabel('URL').fill('https://example.com/hook')
    await page
      .getByRole('dialog', { name: 'Create subscription' })
      .getByRole('button', { name: 'Create subscription' })
      .click()

    await shownOnce(page)
    const { body } = await api.get(SUBSCRIPTIONS)
    expect(body.results).toMatchObject([
      { insight: api.insight.id, dashboard: null, frequency: 'weekly', hour: 9 },
    ])
  })

  it('leave their drawer open when Escape closes what lies on it', async () => {
    const web = await startNotices()
    await openFromDashboard(web)
    const { page } = web
    await page.getByRole('button', { name: 'Create subscription' }).click()
    const form = page.getByRole('dialog', { name: 'Create subscription' })
    await form.waitFor()

    await page.keyboard.press('Escape')

    await form.waitFor({ state: 'detached' })
    const drawer = page.getByRole('dialog', { name: 'Shop' })
    expect(await drawer.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  })
})

describe('alerts', () => {
  it('are changed beside their insight, and keep every place they tell', async () => {
    const web = await startNotices()
    const { api, page } = web
    const url = 'https://example.com/first'
    const { id } = await api.createAlert({ targets: [{ type: 'webhook', url }] })
    await openFromInsight(web)

    await chooseOf(page, 'Many orders', 'Edit')
    await page.getByLabel('Name', { exact: true }).last().fill('Growing fast')
    await choose(page, 'Alert when', 'value rises by')
    await choose(page, 'Unit', 'percent')
    await page.getByLabel('More than').fill('7')
    await page.getByRole('button', { name: 'Add recipient' }).click()
    await page.getByLabel('URL').last().fill('https://example.com/second')
    await page.getByRole('button', { name: 'Save alert' }).click()
    await page.getByText('Value rises by more than 7%').waitFor()

    const { body } = await api.get(`${ALERTS}/${id}`)
    expect(body).toMatchObject({
      name: 'Growing fast',
      condition: { type: 'relative_increase' },
      threshold: { configuration: { type: 'percentage', bounds: { upper: 0.07, lower: null } } },
      targets: [{ url }, { url: 'https://example.com/second' }],
    })
    expectNoProblems(web)
  })

  it('watch one of several lines, also while its day is not over', async () => {
    const web = await startNotices()
    const { api, page } = web
    const series = ['order', 'refund'].map((event) => ({ kind: 'EventsNode', event }))
    const query = { kind: 'TrendsQuery', series }
    await api.patch(insightPath(api.insight.id), { query })
    await api.get(insightPath(api.insight.id, '?refresh=blocking'))
    await openFromInsight(web)

    await page.getByRole('button', { name: 'Create alert' }).click()
    await choose(page, 'Series', 'refund')
    await page.getByLabel('More than').fill('5')
    await page.getByLabel('Include the current period').check()
    await page.getByLabel('URL').fill('https://example.com/hook')
    await page
      .getByRole('dialog', { name: 'Create alert' })
      .getByRole('button', { name: 'Create alert' })
      .click()

    await shownOnce(page)
    const { body } = await api.get(ALERTS)
    expect(body.results).toMatchObject([
      { config: { series_index: 1, check_ongoing_interval: true } },
    ])
    expectNoProblems(web)
  })

  it('watch the first line of whichever insight was chosen last', async () => {
    const { api, page } = await startNotices()
    const series = ['order', 'refund'].map((event) => ({ kind: 'EventsNode', event }))
    const both = await createInsight(api, { name: 'Both', query: { kind: 'TrendsQuery', series } })
    await api.get(insightPath(both.id, '?refresh=blocking'))
    await page.goto('/project/1/settings/alerts')

    await page.getByRole('button', { name: 'Create alert' }).click()
    await choose(page, 'Insight', 'Both')
    await choose(page, 'Series', 'refund')
    await page.getByRole('combobox', { name: 'Insight' }).fill('Orders')
    await page.getByRole('option', { name: 'Orders', exact: true }).click()
    await page.getByLabel('More than').fill('5')
    await page.getByLabel('URL').fill('https://example.com/hook')
    await page
      .getByRole('dialog', { name: 'Create alert' })
      .getByRole('button', { name: 'Create alert' })
      .click()

    await shownOnce(page)
    const { body } = await api.get(ALERTS)
    expect(body.results).toMatchObject([{ insight: api.insight.id, config: { series_index: 0 } }])
  })

  it('are snoozed for a while, and woken', async () => {
    const web = await startNotices()
    const { api, page } = web
    const { id } = await api.createAlert()
    const stateNow = async () => (await api.get(`${ALERTS}/${id}`)).body.state
    await openFromInsight(web)

    await chooseOf(page, 'Many orders', 'Snooze for 1 day')
    await page.getByText('snoozed', { exact: true }).waitFor()
    expect(await stateNow()).toBe('Snoozed')
    await chooseOf(page, 'Many orders', 'Unsnooze')
    await page.getByText('OK', { exact: true }).waitFor()
    expect(await stateNow()).toBe('Not firing')
  })

  it('try again what did not arrive', async () => {
    const web = await startNotices()
    const { api, page } = web
    api.receiver.answer(500)
    startTestWorker(api)
    await api.createAlert()
    await openFromInsight(web)
    await chooseOf(page, 'Many orders', 'Send test')
    await page.getByText('retrying', { exact: true }).waitFor()
    api.receiver.answer(200)

    await page.getByRole('button', { name: 'Retry' }).click()

    await page.getByText('delivered', { exact: true }).waitFor()
    expect(api.receiver.received).toHaveLength(2)
  })
})

it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
  const web = await startNotices({ colorScheme, bypassCSP: true })
  const { api, page } = web
  await api.createAlert()
  await openFromInsight(web)
  await page.getByText('Value above 2').waitFor()
  await expectAccessible(page)

  for (const noun of ['alert', 'subscription']) {
    await page.getByRole('button', { name: `Create ${noun}` }).click()
    const form = page.getByRole('dialog', { name: `Create ${noun}` })
    await form.waitFor()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Close' }).click()
    await form.waitFor({ state: 'detached' })
  }
})

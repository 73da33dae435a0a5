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
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

const shownOnce = async (page: Page): Promise<string> =>
  (await page.getByTestId('shown-once').textContent()) ?? ''

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe('subscriptions', () => {
  it('are made of a dashboard, tested, signed anew, changed, paused and deleted', async () => {
    const web = await startNotices()
    const { api, page } = web
    startTestWorker(api)
    const dashboard = await openFromDashboard(web)

    await page.getByRole('button', { name: 'New subscription' }).click()
    await choose(page, 'How often', 'every day')
    await page.getByLabel('URL').fill('ftp://example.com')
    await page.getByRole('button', { name: 'Make the subscription' }).click()
    await page.getByText('Enter a valid URL.').waitFor()
    await page.getByLabel('URL').fill(`${api.receiver.url}/shop`)
    await page.getByRole('button', { name: 'Make the subscription' }).click()
    const secret = await shownOnce(page)
    await page.getByRole('button', { name: 'Done' }).click()

    await chooseOf(page, 'Shop', 'Send a test')
    const [test] = await api.receiver.waitFor(1)
    expect(test && isSigned(test, secret)).toBe(true)
    await page.getByText('arrived', { exact: true }).waitFor()

    await chooseOf(page, 'Shop', 'New signing secret')
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    const another = await shownOnce(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await chooseOf(page, 'Shop', 'Send a test')
    const [, again] = await api.receiver.waitFor(2)
    expect(again && isSigned(again, another)).toBe(true)

    await chooseOf(page, 'Shop', 'Change')
    await page.getByLabel('Title').fill('The shop, daily')
    await choose(page, 'At (UTC)', '07:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Shop · Every day at 07:00').waitFor()
    await page.getByLabel('The shop, daily is on').click({ force: true })
    await page.getByText('off', { exact: true }).waitFor()
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

    await page.getByRole('button', { name: 'New subscription' }).click()
    await page.getByText('An insight', { exact: true }).click()
    await choose(page, 'Insight', 'Orders')
    await page.getByLabel('URL').fill('https://example.com/hook')
    await page.getByRole('button', { name: 'Make the subscription' }).click()

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
    await page.getByRole('button', { name: 'New subscription' }).click()
    const form = page.getByRole('dialog', { name: 'New subscription' })
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

    await chooseOf(page, 'Many orders', 'Change')
    await page.getByLabel('Name', { exact: true }).last().fill('Growing fast')
    await choose(page, 'Tell me when', 'it rises by')
    await choose(page, 'Measured', 'in per cent')
    await page.getByLabel('More than').fill('7')
    await page.getByRole('button', { name: 'Send to another' }).click()
    await page.getByLabel('URL').last().fill('https://example.com/second')
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.getByText('When it rises by more than 7 %').waitFor()

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

    await page.getByRole('button', { name: 'New alert' }).click()
    await choose(page, 'Watch', 'refund')
    await page.getByLabel('More than').fill('5')
    await page.getByLabel('not over yet').check()
    await page.getByLabel('URL').fill('https://example.com/hook')
    await page.getByRole('button', { name: 'Make the alert' }).click()

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

    await page.getByRole('button', { name: 'New alert' }).click()
    await choose(page, 'Insight', 'Both')
    await choose(page, 'Watch', 'refund')
    await page.getByRole('combobox', { name: 'Insight' }).fill('Orders')
    await page.getByRole('option', { name: 'Orders', exact: true }).click()
    await page.getByLabel('More than').fill('5')
    await page.getByLabel('URL').fill('https://example.com/hook')
    await page.getByRole('button', { name: 'Make the alert' }).click()

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

    await chooseOf(page, 'Many orders', 'Snooze for a day')
    await page.getByText('snoozed', { exact: true }).waitFor()
    expect(await stateNow()).toBe('Snoozed')
    await chooseOf(page, 'Many orders', 'Wake up')
    await page.getByText('all well', { exact: true }).waitFor()
    expect(await stateNow()).toBe('Not firing')
  })

  it('try again what did not arrive', async () => {
    const web = await startNotices()
    const { api, page } = web
    api.receiver.answer(500)
    startTestWorker(api)
    await api.createAlert()
    await openFromInsight(web)
    await chooseOf(page, 'Many orders', 'Send a test')
    await page.getByText('will be tried again', { exact: true }).waitFor()
    api.receiver.answer(200)

    await page.getByRole('button', { name: 'Retry' }).click()

    await page.getByText('arrived', { exact: true }).waitFor()
    expect(api.receiver.received).toHaveLength(2)
  })
})

it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
  const web = await startNotices({ colorScheme, bypassCSP: true })
  const { api, page } = web
  await api.createAlert()
  await openFromInsight(web)
  await page.getByText('When it is above 2').waitFor()
  await expectAccessible(page)

  for (const noun of ['alert', 'subscription']) {
    await page.getByRole('button', { name: `New ${noun}` }).click()
    const form = page.getByRole('dialog', { name: `New ${noun}` })
    await form.waitFor()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Close' }).click()
    await form.waitFor({ state: 'detached' })
  }
})

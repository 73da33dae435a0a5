import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { EventStore } from '#server/analytics/event-store.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { visits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'
import { openDashboard, tileOf } from './dashboard.ts'

/** Enough rows for several chunks, so the run has progress to show. */
const ROWS = 90_000

const ORDERS = Buffer.from(
  `email,at,total\n${Array.from(
    { length: ROWS },
    (_, n) => `person${n % 500}@example.com,2026-03-0${1 + (n % 3)}T10:00:00Z,${n}`,
  ).join('\n')}\n`,
)

const TILE = {
  insight: {
    name: 'Orders',
    query: visits({
      series: [{ kind: 'EventsNode', event: 'order' }],
      dateRange: { date_from: '2026-03-01', date_to: '2026-03-03' },
    }),
  },
}

/** Accepts only a given number of events, so the run waits. */
function slowly(store: EventStore) {
  let allowed = 0
  let accepted = 0
  const slow: EventStore = {
    ...store,
    async append(projectId, events) {
      await until(() => accepted < allowed)
      accepted += events.length
      return store.append(projectId, events)
    },
  }
  return { slow, allow: (events: number) => (allowed = events) }
}

/** The progress of the run, in percent. */
async function percentIn(page: Page): Promise<number> {
  const text = await page.getByText(/ of .* \(\d+%\)/).textContent()
  return Number(/\((\d+)%\)/.exec(text ?? '')?.[1])
}

/** A slow result is cached for twenty times its duration. */
const PATIENCE = { timeout: 90_000 }

const shows = (page: Page, number: string) =>
  tileOf(page, 'Orders').getByText(number, { exact: true }).waitFor(PATIENCE)

describe('CSV import', () => {
  it('turns a file into events, and updates every open dashboard', async () => {
    const web = await startWeb()
    const { api, page } = web
    const { slow, allow } = slowly(api.services.events)
    startTestWorker(api, { events: slow })
    await api.post('query', { query: { kind: 'HogQLQuery', query: 'select 1' } }) // opens the event store
    const watching = await openBrowser(api)
    await openDashboard({ api, page: watching.page }, { name: 'Shop', tiles: [TILE] })
    await shows(watching.page, '0')

    await page.goto('/project/1/apps')
    await page.getByRole('link', { name: 'Add import app' }).click()
    await page.getByRole('button', { name: 'Add to project: CSV' }).click()
    await page.getByRole('combobox', { name: 'Event name or column' }).fill('order')
    await page.getByRole('combobox', { name: 'Person column' }).fill('email')
    await page.getByRole('combobox', { name: 'Time column' }).fill('at')
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: ORDERS })
    await page.getByText('orders.csv').waitFor()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved.').waitFor()
    await page.getByRole('switch', { name: 'Enable CSV' }).click({ force: true })
    await page.getByRole('switch', { name: 'Enable CSV', checked: true }).waitFor()
    await page.getByRole('tab', { name: 'Jobs' }).click()
    await page
      .getByRole('form', { name: 'Import now' })
      .getByRole('button', { name: 'Run job' })
      .click()

    await page.getByRole('tab', { name: 'Runs', selected: true }).waitFor()
    allow(ROWS / 2)
    const early = await until(() => percentIn(page))
    allow(ROWS * 0.8)
    const late = await until(async () => (await percentIn(page)) > early && percentIn(page))
    expect([early > 0, late < 100]).toEqual([true, true])
    allow(ROWS)
    await page.getByRole('tabpanel').getByText('Succeeded').waitFor()
    await page.getByText('90,000 read, 90,000 new').waitFor()
    await shows(watching.page, '90,000')
    const chart = await page.getByRole('link', { name: 'Make a chart' }).getAttribute('href')
    expect(chart).toContain('/insights/new?q=')
    await page.getByRole('link', { name: 'See the events' }).click()
    await page.waitForURL('**/events?event=order')
    await page.getByRole('link', { name: 'Dashboards' }).click()
    await page.getByRole('link', { name: 'Shop' }).click()
    await shows(page, '90,000')
    expectNoProblems(web)
    expectNoProblems(watching)
  }, 180_000)
})

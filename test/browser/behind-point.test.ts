import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectOpenedAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { choose } from './insights.ts'

/** Three visitors: one signs in on a second device and pays, one signs in, and one stays anonymous. */
async function openWithVisitors() {
  const web = await openWeb({ bypassCSP: true })
  const { api } = web
  const { body } = await api.get('')
  const start = Date.now() - 3_600_000
  const send = (minute: number, event: string, distinct_id: string, properties: object = {}) => ({
    event,
    distinct_id,
    properties,
    timestamp: new Date(start + minute * 60_000).toISOString(),
  })
  const identify = (minute: number, id: string, device: string, plan: string) =>
    send(minute, '$identify', id, {
      $anon_distinct_id: device,
      $set: { email: `${id}@example.com`, plan },
    })
  const batch = [
    send(0, '$pageview', 'phone-of-ada'),
    identify(1, 'ada', 'phone-of-ada', 'pro'),
    send(2, '$pageview', 'laptop-of-ada'),
    identify(3, 'ada', 'laptop-of-ada', 'pro'),
    send(4, 'paid', 'ada'),
    send(0, '$pageview', 'phone-of-bob'),
    identify(1, 'bob', 'phone-of-bob', 'pro'),
    send(0, '$pageview', 'visitor'),
  ]
  await api.post('/batch', { api_key: body.api_token, batch })
  return web
}

const FUNNEL = {
  kind: 'InsightVizNode',
  source: {
    kind: 'FunnelsQuery',
    series: [{ event: '$pageview' }, { event: 'paid' }],
    dateRange: { date_from: '-7d' },
  },
}

/** Clicks the second of two columns: near its foot are those who came, at its top those who dropped off. */
async function clickSecondColumn(page: Page, place: 'foot' | 'top'): Promise<void> {
  const box = await page.getByRole('img', { name: 'Payments' }).boundingBox()
  if (!box) throw new Error('The chart has no size.')
  await page.mouse.click(box.x + box.width * 0.75, box.y + (place === 'top' ? 40 : box.height - 90))
}

it(
  'leads from a column of a funnel to a person, and makes a cohort of the column',
  async () => {
    const web = await openWithVisitors()
    const { api, page } = web
    const { body: insight } = await api.post('insights', { name: 'Payments', query: FUNNEL })
    await page.goto(`/project/${api.projectId}/insights/${insight.short_id}`)
    await page.getByRole('tab', { name: 'Show data' }).click()
    const count = (event: string, text: string) =>
      page.getByRole('row').filter({ hasText: event }).getByRole('button', { name: text })
    await count('Page view', '3').waitFor()
    await page.getByRole('img', { name: 'Payments' }).locator('path').first().waitFor()
    const dialog = page.getByRole('dialog')

    await clickSecondColumn(page, 'foot')
    await dialog.getByText('Persons: 2. paid, converted').waitFor()
    await dialog.getByText('1 person', { exact: true }).waitFor()
    await dialog.getByRole('link', { name: 'ada@example.com' }).waitFor()
    await expectOpenedAccessible(page)
    await dialog.getByRole('tab', { name: 'Events' }).click()
    await dialog.getByText('Events: 2. paid, converted').waitFor()
    await dialog.getByText('2 events', { exact: true }).waitFor()
    await expectOpenedAccessible(page)
    await dialog.getByRole('button', { name: 'paid' }).click()
    const event = page.getByRole('dialog', { name: 'paid', exact: true })
    await event.getByText('Timestamp').waitFor()
    await page.keyboard.press('Escape')
    await event.waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await clickSecondColumn(page, 'top')
    await dialog.getByText('Persons: 2. paid, dropped off').waitFor()
    await dialog.getByText('2 persons', { exact: true }).waitFor()
    await dialog.getByRole('link', { name: 'bob@example.com' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: 'Add filter' }).click()
    await choose(page, 'Property', 'plan')
    await choose(page, 'Values', 'pro')
    await page.getByRole('button', { name: 'Save' }).click()
    await count('Page view', '2').click()
    await dialog.getByText('2 persons', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save as cohort' }).click()
    await dialog.getByRole('textbox', { name: 'Cohort name' }).fill('Pro visitors')
    await dialog.getByRole('button', { name: 'Create cohort' }).click()
    await dialog.getByText('Saved 2 persons as').waitFor()
    await expectOpenedAccessible(page)
    await dialog.getByRole('link', { name: 'Pro visitors' }).click()
    await page.getByRole('heading', { name: 'Pro visitors', level: 1 }).waitFor()
    await page.getByText('2 persons').first().waitFor()

    await page.getByRole('link', { name: 'ada@example.com' }).click()
    await page.getByRole('tab', { name: 'Distinct IDs (3)' }).waitFor()
    await page.getByRole('button', { name: 'paid' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(6)
    const { body } = await api.get('cohorts')
    expect(body.results).toMatchObject([{ name: 'Pro visitors', is_static: true, count: 2 }])
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

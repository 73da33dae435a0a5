import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { TestApp } from '../support/app/app.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'

const DAY_MS = 86_400_000

/** Sends visits of three people yesterday, and of one in the week before: each is a page, a country and a source. */
async function addSiteVisits(api: TestApp): Promise<void> {
  const { body } = await api.get('')
  const visits = [
    ...[0, 1, 2].map((n) => ({ n, days: 1, page: n === 0 ? '/pricing' : '/', country: 'DE' })),
    { n: 7, days: 9, page: '/', country: 'FR' },
  ]
  const batch = visits.flatMap(({ n, days, page, country }) => {
    const at = Date.now() - days * DAY_MS
    const common = {
      $session_id: `visit-${n}`,
      $geoip_country_code: country,
      $device_type: n === 0 ? 'Mobile' : 'Desktop',
      $referring_domain: n === 0 ? 'www.google.com' : '$direct',
    }
    return [
      { event: '$pageview', properties: { ...common, $pathname: page } },
      ...(n === 0 ? [{ event: 'signed up', properties: common }] : []),
    ].map((each, index) => ({
      ...each,
      distinct_id: `visitor-${n}`,
      timestamp: new Date(at + index * 1000).toISOString(),
    }))
  })
  await api.post('/batch', { api_key: body.api_token, batch })
}

const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const figuresOf = (page: Page) => page.getByRole('list', { name: 'Headline figures' })

it(
  'shows visits, filters them by clicked values and saves them as a dashboard',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    await page.goto(`/project/${api.projectId}/web`)
    await page.getByRole('heading', { name: 'No page views in these dates' }).waitFor()
    await page.getByText('0 visitors online').waitFor()
    await expectAccessible(page)
    await addSiteVisits(api)
    await page.goto(`/project/${api.projectId}/events`)

    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('w')

    await cardOf(page, 'Pages').getByRole('row', { name: '/ +100% 2 2' }).waitFor()
    await cardOf(page, 'Places')
      .getByRole('row', { name: /^Germany 3 / })
      .waitFor()
    await cardOf(page, 'Sources')
      .getByRole('row', { name: /^Organic Search 1 / })
      .waitFor()
    await cardOf(page, 'Goals').getByRole('row', { name: 'signed up 1 33.3%' }).waitFor()
    await figuresOf(page).getByText('200%').first().waitFor()
    await expectAccessible(page)

    await cardOf(page, 'Pages').getByRole('button', { name: '/pricing' }).click()
    await page.getByRole('button', { name: 'Remove filter: Path is /pricing' }).waitFor()
    await cardOf(page, 'Devices')
      .getByRole('row', { name: /^Mobile 1 / })
      .waitFor()
    await cardOf(page, 'Devices')
      .getByRole('row', { name: /^Desktop/ })
      .waitFor({ state: 'detached' })
    await figuresOf(page)
      .getByRole('button', { name: /^Page views/ })
      .click()
    await page.getByRole('checkbox', { name: 'Compare with the previous period' }).uncheck()
    await expect.poll(() => page.url()).toMatch(/figure=views.*|compare=false/)
    await page.reload()
    await cardOf(page, 'Devices')
      .getByRole('row', { name: /^Mobile 1 / })
      .waitFor()
    expect(await figuresOf(page).getByText('%', { exact: false }).count()).toBe(1) // the bounce rate

    await cardOf(page, 'Pages').getByRole('button', { name: 'Actions for pages' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file).toBe('value,visitors,views\r\n/pricing,1,1\r\n')

    await page.getByRole('button', { name: 'Save as dashboard' }).click()
    await page.getByRole('heading', { name: 'Web analytics', level: 1 }).waitFor()
    await page.getByText('Path is /pricing').waitFor()
    await page.getByText('Organic Search', { exact: true }).waitFor()
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

it(
  'counts chosen events and actions as goals, here and on a saved dashboard',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    await addSiteVisits(api)
    const steps = [{ event: '$pageview', properties: [{ key: '$pathname', value: '/' }] }]
    const { body: action } = await api.post('actions', { name: 'Came home', steps })
    await page.goto(`/project/${api.projectId}/web`)

    await cardOf(page, 'Goals').getByRole('button', { name: 'Choose goals' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose goals' })
    await dialog.getByRole('button', { name: 'Add goal' }).click()
    await dialog.getByRole('combobox', { name: 'Goal 1' }).click()
    await page.getByRole('option', { name: 'Came home' }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save goals' }).click()

    await cardOf(page, 'Goals').getByRole('row', { name: 'Came home +100% 2 66.7%' }).waitFor()
    await page.goto(`/project/${api.projectId}/web`) // remembered without the address
    await cardOf(page, 'Goals').getByRole('row', { name: 'Came home +100% 2 66.7%' }).waitFor()
    await page.getByRole('button', { name: 'Save as dashboard' }).click()
    await page.getByRole('heading', { name: 'Web analytics', level: 1 }).waitFor()
    const { body } = await api.get('insights?limit=20')
    const goals = body.results.find(({ name }: { name: string }) => name === 'Goals')
    expect(goals.query.source.goals).toMatchObject([{ kind: 'ActionsNode', id: action.id }])
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

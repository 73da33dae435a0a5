import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TestApp } from '../support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../support/data/dashboards.ts'
import { addVisits, visits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { isFull } from '../support/vitest/effort.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, type OpenOptions, openWeb } from './browser.ts'

const OVER_TIME = { trendsFilter: { display: 'ActionsLineGraph' }, interval: 'day' }

const tile = (name: string, query: object, x: number) => ({
  insight: { name, description: 'Counted by day', query },
  layouts: { sm: { x, y: 0, w: 6, h: 5 } },
})

/** The label of the data table below a chart. */
const DATA = /^Data$/

/** Shares a dashboard of two charts and a text, and opens a stranger's browser. */
async function openShared(options: OpenOptions = {}) {
  const web = await openWeb({ as: null, ...options })
  const { api } = web
  await addVisits(api, 3)
  const { id } = await createDashboard(api, {
    name: 'Sales <b>',
    description: 'What we sold',
    tiles: [
      tile('Visits', visits(OVER_TIME), 0),
      tile('Total', visits(), 6),
      textTile('## Notes\n\n<script>document.title = "hacked"</script> *Read me*', 0, 20),
    ],
  })
  const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
  return { ...web, id, token: body.access_token as string }
}

/** Waits until all results are computed. */
const computed = (api: TestApp, token: string) =>
  until(async () => !(await api.get(`/shared/${token}`)).text.includes('http-equiv="refresh"'))

/** Starts another site that shows the URL in a frame. */
async function startSiteWithFrame(address: string): Promise<string> {
  const page = `<!doctype html><title>Elsewhere</title><iframe src="${address}" width="900" height="600"></iframe>`
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('shared page', () => {
  it('is complete without signing in and without scripts, also on a phone', async () => {
    const { api, page, token } = await openShared({ javaScriptEnabled: false })
    await computed(api, token)

    await page.goto(`/shared/${token}`)
    await page.getByRole('heading', { name: 'Sales <b>', level: 1 }).waitFor()
    await page.getByText('<script>document.title').waitFor()
    await page.getByRole('img', { name: 'Visits' }).waitFor()
    const region = page.getByRole('region', { name: 'Visits', exact: true })
    await region.getByText(DATA).click()
    await region.getByRole('cell', { name: '3', exact: true }).waitFor()
    expect(await page.title()).toBe('Sales <b>')

    await page.setViewportSize({ width: 360, height: 740 })
    const chart = page.getByRole('img', { name: 'Visits' })
    expect((await chart.boundingBox())?.width).toBeGreaterThan(280)
    expect((await page.locator('body').boundingBox())?.width).toBe(360)
    const scrollWidth = await page.locator('main').evaluate((main) => main.scrollWidth)
    expect(scrollWidth).toBeLessThanOrEqual(360)
  })

  it('is narrowed with a form, for this viewer only, without scripts and with them', async () => {
    for (const javaScriptEnabled of [false, true]) {
      const { api, page, id } = await openShared({ javaScriptEnabled })
      await addVisits(api, 4, { properties: { plan: 'pro' } })
      const { body: link } = await api.post(pathOf(id, '/sharing/links'), {
        viewer_filters: { dates: true, properties: [{ key: 'plan', values: ['free', 'pro'] }] },
      })
      await computed(api, link.access_token)

      await page.goto(`/shared/${link.access_token}`)
      await page.getByLabel('plan').selectOption('pro')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(/property\.plan=pro/)
      await until(async () => {
        await page.reload()
        return (await page.getByText('Computing the result').count()) === 0
      })
      const total = page.getByRole('region', { name: 'Total', exact: true })
      await total.getByText(DATA).click()
      await total.getByRole('cell', { name: '4', exact: true }).waitFor()
      expect(await page.getByRole('link', { name: 'CSV' }).getAttribute('href')).toContain(
        'property.plan=pro',
      )

      await page.getByRole('link', { name: 'Clear' }).click()
      expect(await page.getByLabel('plan').inputValue()).toBe('')
      await page.goto(`/shared/${link.access_token}?variable.a=1`)
      await page.getByText('This link does not let viewers change "variable.a".').waitFor()
    }
  })

  it('closes while it is open, once its link is turned off', async () => {
    const { api, page, id, token } = await openShared()
    await page.goto(`/shared/${token}`)
    await page.getByRole('heading', { name: 'Sales <b>', level: 1 }).waitFor()

    await api.patch(pathOf(id, '/sharing'), { enabled: false })

    await page.getByRole('heading', { name: 'Dashboard not found' }).waitFor()
    expect(await page.content()).not.toContain('What we sold')
  })

  it('draws interactive charts, and follows new events without reloading', async () => {
    const web = await openShared({ changesClock: true })
    const { api, page, token } = web
    await page.clock.install()

    await page.goto(`/shared/${token}`)
    const chart = page.getByRole('img', { name: 'Visits' })
    await until(async () => {
      await page.clock.fastForward(4000)
      return (await page.locator('.live svg').count()) > 1
    })
    // the chart ignores a pointer that arrived before its listeners until it moves
    await until(async () => {
      await page.mouse.move(0, 0)
      await chart.hover()
      await page.clock.fastForward(100)
      return (await chart.getByText('visit', { exact: true }).count()) > 0
    })
    await page.getByText(DATA).first().waitFor()
    const total = page.getByRole('img', { name: 'Total' })
    await total.getByText('3', { exact: true }).waitFor()
    await page.evaluate('window.isSamePage = true')
    await addVisits(api, 4)

    await until(async () => {
      await page.clock.fastForward(61_000)
      return (await total.getByText('7', { exact: true }).count()) > 0
    })
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    expectNoProblems(web)
  })

  it('shows in a frame of another site only if it is embedded', async () => {
    const { api, page, problems, token } = await openShared()
    const embedded = await startSiteWithFrame(`${api.url}/embedded/${token}?noHeader&theme=dark`)
    const shared = await startSiteWithFrame(`${api.url}/shared/${token}`)
    const frame = page.frameLocator('iframe')

    await page.goto(embedded)
    await frame.getByRole('heading', { name: 'Notes' }).waitFor()
    await frame.locator('.live svg').nth(1).waitFor()
    expect(await frame.getByRole('heading', { name: 'Sales' }).count()).toBe(0)
    expect(await frame.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(problems).toEqual([])

    await page.goto(shared)
    await until(() => problems.some((problem) => problem.includes('frame-ancestors')))
    expect(await frame.getByRole('heading').count()).toBe(0)
  })

  it.runIf(isFull)('is accessible', async () => {
    const { api, page, token } = await openShared({ bypassCSP: true })
    await computed(api, token)

    await page.goto(`/shared/${token}`)
    await page.locator('.live svg').nth(1).waitFor()
    await page.getByText(DATA).first().click()

    await expectAccessible(page)
    await page.goto('/shared/nothing')
    await expectAccessible(page)
  })
})

import { describe, expect, it } from 'vitest'
import { pathOf } from '../support/data/dashboards.ts'
import { addVisits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openBrowser, openWeb } from './browser.ts'
import { numberTile, openDashboard, pageOf, tileOf, wordsTile } from './dashboard.ts'
import { choose } from './insights.ts'

/** The interval at which a dashboard asks for changes. */
const POLL_MS = 3000

const HOSTILE = `# Hello
<img src=x onerror="window.hacked = 1"> <script>window.hacked = 2</script>
[click](javascript:window.hacked=3) <b onclick="window.hacked=4">bold</b>`

describe('dashboard', () => {
  it('shows results, follows new events, and filters by URL', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addVisits(api, 31, { days: 2, properties: { plan: 'pro' } })
    await addVisits(api, 12, { days: 20, properties: { plan: 'free' } })
    const { id } = await openDashboard(web, { tiles: [numberTile('Visits')] })
    const shows = (text: string) =>
      tileOf(page, 'Visits').getByText(text, { exact: true }).waitFor()

    await shows('31')
    await page.getByRole('button', { name: "Each tile's dates" }).click()
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await shows('43')
    expect(new URL(page.url()).searchParams.get('date_from')).toBe('-30d')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await choose(page, 'Property', 'plan')
    await page.getByRole('combobox', { name: 'Values' }).fill('free')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Apply filter' }).click()
    await shows('12')
    const other = await openBrowser(api)
    await other.page.goto(page.url())
    await tileOf(other.page, 'Visits').getByText('12', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save as default' }).click()
    await page.waitForURL(`**${pageOf(api, id)}`)
    await shows('12')
    await addVisits(api, 5, { days: 3, properties: { plan: 'free' } })
    await shows('17')
    expectNoProblems(web)
  })

  it('keeps its filters in view, with dates such as yesterday and the last 5 weeks', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addVisits(api, 7, { days: 1 })
    await addVisits(api, 5, { days: 30 })
    await openDashboard(web, {
      tiles: Array.from({ length: 6 }, (_, index) => numberTile(`Visits ${index}`)),
    })
    const first = tileOf(page, 'Visits 0')

    await page.getByRole('button', { name: "Each tile's dates" }).click()
    await page.getByRole('button', { name: 'Yesterday' }).click()
    await first.getByText('7', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('date_to')).toBe('-1dEnd')
    await page.getByRole('button', { name: 'Dates: Yesterday' }).click()
    await page.getByRole('textbox', { name: 'How many' }).fill('5')
    await page.getByRole('combobox', { name: 'Unit' }).click()
    await page.getByRole('option', { name: 'weeks' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await first.getByText('12', { exact: true }).waitFor()
    await tileOf(page, 'Visits 5').scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 2000)
    await until(() => page.evaluate('scrollY > 400'))

    const bar = await page.getByRole('button', { name: 'Dates: Last 5 weeks' }).boundingBox()
    expect(bar?.y).toBeGreaterThan(40)
    expect(bar?.y).toBeLessThan(120)
    expectNoProblems(web)
  })

  it('polls only for changes, and not at all while the page is hidden', async () => {
    const web = await openWeb({ changesClock: true })
    const { api, page } = web
    await addVisits(api, 31)
    await page.clock.install()
    const { id } = await openDashboard(web, { tiles: [numberTile('Visits')] })
    const number = (text: string) => tileOf(page, 'Visits').getByText(text, { exact: true })
    await number('31').waitFor()
    const requested: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/api/environments')) requested.push(pathname)
    })
    const setVisibility = (visibility: 'hidden' | 'visible') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true })
        dispatchEvent(new Event('visibilitychange'))
      `)
    const path = api.path(pathOf(id))
    await until(async () => {
      await page.clock.fastForward(POLL_MS)
      return requested.slice(-2).join() === `${path},${path}`
    })

    await setVisibility('hidden')
    await addVisits(api, 5)
    await page.evaluate(() => fetch('/_health')) // after all earlier requests
    const before = requested.length
    await page.clock.fastForward(60_000)
    await page.evaluate(() => fetch('/_health'))

    expect(requested.length).toBe(before)
    await setVisibility('visible')
    await number('36').waitFor()
  })

  it('shows markup in texts as text, and text that is nested too deeply as its source', async () => {
    const web = await openWeb()
    const { page } = web
    const name = '<img src=x onerror="window.hacked=5">'
    const deep = `${'>'.repeat(3900)} the end`
    const tiles = [wordsTile('Old'), wordsTile(deep, 4)]
    await openDashboard(web, { name, description: name, tags: [name], tiles })
    const text = tileOf(page, 'Text').first()
    await page.getByText('> the end').waitFor()

    await text.getByRole('button', { name: 'Actions for Text' }).click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Text in Markdown').fill(HOSTILE)
    await page.getByText('Preview').click()
    await text.getByRole('heading', { name: 'Hello' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Saved/).waitFor()
    await page.reload()

    await text.getByRole('heading', { name: 'Hello' }).waitFor()
    await text.getByText('<b onclick="window.hacked=4">', { exact: false }).waitFor()
    await text.getByRole('heading', { name: 'Hello', level: 2 }).waitFor()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await page.evaluate('window.hacked')).toBe(undefined)
    expect(await text.locator('img, script, [onclick]').count()).toBe(0)
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
    expectNoProblems(web)
  })
})

import { describe, expect, it } from 'vitest'
import { pathOf } from '../dashboards.ts'
import { until } from '../until.ts'
import { addVisits } from '../visits.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'
import {
  chooseFromTile,
  numberTile,
  openDashboard,
  pageOf,
  tileOf,
  wordsTile,
} from './dashboard.ts'

const HOSTILE = `# Hello
<img src=x onerror="window.hacked = 1"> <script>window.hacked = 2</script>
[click](javascript:window.hacked=3) <b onclick="window.hacked=4">bold</b>`

describe('a dashboard in a browser', () => {
  it('shows numbers, follows new ones, and lets the address choose among them', async () => {
    const web = await startWeb()
    const { api, page } = web
    await addVisits(api, 31, { days: 2, properties: { plan: 'pro' } })
    await addVisits(api, 12, { days: 20, properties: { plan: 'free' } })
    const { id } = await openDashboard(web, { tiles: [numberTile('Visits')] })
    const shows = (text: string) =>
      tileOf(page, 'Visits').getByText(text, { exact: true }).waitFor()

    await shows('31')
    await page.getByRole('button', { name: 'Tile defaults' }).click()
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await shows('43')
    expect(new URL(page.url()).searchParams.get('date_from')).toBe('-30d')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Event property').fill('plan')
    await page.getByLabel('Value').fill('free')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await shows('12')
    const other = await openBrowser(api)
    await other.page.goto(page.url())
    await tileOf(other.page, 'Visits').getByText('12', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save as default' }).click()
    await page.waitForURL(`**${pageOf(id)}`)
    await shows('12')
    await addVisits(api, 5, { days: 3, properties: { plan: 'free' } })
    await shows('17')
    expectNoProblems(web)
  })

  it('asks for no more than whether something changed, and for nothing while nobody looks', async () => {
    const web = await startWeb()
    const { api, page } = web
    await addVisits(api, 31)
    await page.clock.install()
    await openDashboard(web, { tiles: [numberTile('Visits')] })
    const number = (text: string) => tileOf(page, 'Visits').getByText(text, { exact: true })
    await number('31').waitFor()
    const asked: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/api/environments')) asked.push(pathname)
    })
    const look = (visibility: 'hidden' | 'visible') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true })
        dispatchEvent(new Event('visibilitychange'))
      `)
    await until(() => asked.slice(-2).join() === `${api.path(pathOf(1))},${api.path(pathOf(1))}`)

    await look('hidden')
    await addVisits(api, 5)
    await page.evaluate(() => fetch('/_health')) // behind all that was asked before
    const before = asked.length
    await page.clock.fastForward(60_000)
    await page.evaluate(() => fetch('/_health'))

    expect(asked.length).toBe(before)
    await look('visible')
    await number('36').waitFor()
  })

  it('takes hostile text for text, also while it is written', async () => {
    const web = await startWeb()
    const { page } = web
    const name = '<img src=x onerror="window.hacked=5">'
    await openDashboard(web, { name, description: name, tags: [name], tiles: [wordsTile('Old')] })

    await chooseFromTile(page, 'Text', 'Edit')
    await page.getByLabel('Text in Markdown').fill(HOSTILE)
    await page.getByText('Preview').click()
    await tileOf(page, 'Text').getByRole('heading', { name: 'Hello' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Saved/).waitFor()
    await page.reload()

    await tileOf(page, 'Text').getByRole('heading', { name: 'Hello' }).waitFor()
    await tileOf(page, 'Text')
      .getByText('<b onclick="window.hacked=4">', { exact: false })
      .waitFor()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await page.evaluate('window.hacked')).toBe(undefined)
    expect(await tileOf(page, 'Text').locator('img, script, [onclick]').count()).toBe(0)
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  })

  it('shows a text that nobody can read as it was written', async () => {
    const web = await startWeb()
    const deep = `${'>'.repeat(3900)} the end`
    await openDashboard(web, { tiles: [wordsTile(deep), wordsTile('Beside it', 4)] })

    await web.page.getByText('Beside it').waitFor()

    await web.page.getByText('> the end').waitFor()
    expectNoProblems(web)
  })

  it('is only looked at by whoever may not edit it, and says why', async () => {
    const { api } = await startWeb()
    const body = { name: 'Closed', restriction_level: 37, tiles: [numberTile('Visits')] }
    const { id } = (await api.post('dashboards', body)).body
    const member = await api.as({ level: 1 })
    const { page } = await openBrowser(api, { as: member })

    await page.goto(pageOf(id))

    await page.getByText('You can view this dashboard, not edit it').waitFor()
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Actions for Visits' }).click()
    expect(await page.getByRole('menuitem', { name: 'Remove' }).count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Refresh' }).waitFor()
  })

  it('is only looked at in the trash, until it is restored', async () => {
    const web = await startWeb()
    const { page } = web
    const { id } = await openDashboard(web, { deleted: true, tiles: [numberTile('Visits')] })
    const add = page.getByRole('button', { name: 'Add', exact: true })

    await page.getByText('This dashboard is in the trash.').waitFor()
    expect(await add.count()).toBe(0)
    await page.getByRole('button', { name: 'Restore' }).click()

    await add.waitFor()
    expect((await web.api.get(pathOf(id))).body.deleted).toBe(false)
  })

  it('fills a screen on a wall with nothing but itself', async () => {
    const web = await startWeb()
    const { id } = await openDashboard(web, { name: 'Wall', tiles: [numberTile('Visits')] })

    await web.page.goto(`${pageOf(id)}?kiosk&refresh=60`)
    await tileOf(web.page, 'Visits').waitFor()

    expect(await web.page.getByRole('navigation').count()).toBe(0)
    expect(await web.page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
    expect(await web.page.locator('.react-resizable-handle').isVisible()).toBe(false)
    await web.page.getByRole('button', { name: 'Exit' }).click()
    await web.page.getByRole('button', { name: 'Share' }).waitFor()
    await tileOf(web.page, 'Visits').click({ trial: true })
  })

  it('computes everything anew on a wall, as often as the address says', async () => {
    const web = await startWeb()
    const { page } = web
    const { id } = await openDashboard(web, { name: 'Wall', tiles: [numberTile('Visits')] })
    await page.clock.install()
    await page.goto(`${pageOf(id)}?kiosk&refresh=60`)
    await tileOf(page, 'Visits').waitFor()
    const computed = page.waitForRequest(/refresh=force_async/)

    await page.clock.fastForward('01:01')

    await computed
  })

  it('is one column on a phone, and keeps its places on a desktop', async () => {
    const web = await startWeb({ viewport: { width: 360, height: 740 } })
    const { page } = web
    const tiles = [numberTile('Left', 0), numberTile('Right', 4)]
    await openDashboard(web, { name: 'Small', tiles })

    const [left, right] = await Promise.all(
      ['Left', 'Right'].map((name) => tileOf(page, name).boundingBox()),
    )
    expect(right?.x).toBe(left?.x)
    expect(right?.y).toBeGreaterThan(left?.y ?? 0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Share' }).waitFor()
  })

  it('says that there is none', async () => {
    const { page } = await startWeb()

    await page.goto(pageOf(12345))

    await page.getByText('Page not found').waitFor()
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const web = await startWeb({ colorScheme, bypassCSP: true })
    await addVisits(web.api, 3)
    const tiles = [numberTile('Visits', 0), wordsTile('# Hello\n\nSome words', 4)]
    const { id } = await openDashboard(web, { name: 'All', tags: ['a'], pinned: true, tiles })
    await tileOf(web.page, 'Visits').getByText('3', { exact: true }).waitFor()
    await expectAccessible(web.page)

    await web.page.goto(`${pageOf(id)}?date_from=-7d&kiosk`)
    await tileOf(web.page, 'Visits').waitFor()
    await expectAccessible(web.page)
  })
})

import { expect, it } from 'vitest'
import { addVisits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { openWeb } from './browser.ts'
import { chooseFromTile, numberTile, openDashboard, tileOf } from './dashboard.ts'

// biome-ignore lint/suspicious/noExplicitAny: runs in the page, whose types tests do not have
const readStyle = (element: any, name: string): string =>
  element.ownerDocument.defaultView.getComputedStyle(element)[name]

const VISIT = { id: 'visit', type: 'events' }

const RETENTION = {
  insight: {
    name: 'Coming back',
    query: {
      kind: 'InsightVizNode',
      source: {
        kind: 'RetentionQuery',
        retentionFilter: { targetEntity: VISIT, returningEntity: VISIT },
      },
    },
  },
  layouts: { sm: { x: 0, y: 0, w: 4, h: 4 } },
}

it('fades the edge behind which a retention table continues, until its end is reached', async () => {
  const web = await openWeb()
  await addVisits(web.api, 3)
  await openDashboard(web, { tiles: [RETENTION] })
  const table = tileOf(web.page, 'Coming back').getByRole('region')
  const edge = () => table.evaluate(readStyle, 'maskImage')

  await until(async () => (await edge()).includes('linear-gradient'))
  await table.evaluate((scroller) => scroller.scrollTo({ left: scroller.scrollWidth }))

  await until(async () => (await edge()) === 'none')
})

it('shows a placeholder while the code of a table loads', async () => {
  const web = await openWeb()
  const { api, page } = web
  await addVisits(api, 3)
  const isLate = Promise.withResolvers<void>()
  await page.route('**/assets/chart-retention*.js', async (route) => {
    await isLate.promise
    await route.continue()
  })
  await openDashboard(web, { tiles: [RETENTION] })
  const tile = tileOf(page, 'Coming back')

  await tile.locator('.mantine-Skeleton-root').waitFor()
  isLate.resolve()

  await tile.getByRole('table').waitFor()
})

it('shows all data of a tile in a dialog', async () => {
  const web = await openWeb()
  const { api, page } = web
  await addVisits(api, 3)
  await openDashboard(web, { tiles: [numberTile('Visits')] })
  await tileOf(page, 'Visits').getByText('3', { exact: true }).waitFor()

  await chooseFromTile(page, 'Visits', 'Show data')

  const data = page.getByRole('dialog', { name: 'Visits' }).getByRole('region')
  const [frame, table] = await Promise.all([
    data.boundingBox(),
    data.getByRole('table').boundingBox(),
  ])
  expect(frame?.height).toBe(table?.height)
})

it('raises a form above the page', async () => {
  const web = await openWeb()
  const { page } = web
  await openDashboard(web, { tiles: [numberTile('Visits')] })

  await page.getByRole('button', { name: 'Add filter' }).click()
  const form = page.getByRole('dialog', { name: 'Add filter' })

  const shadow = await form.evaluate(readStyle, 'boxShadow')
  expect(shadow).not.toBe('none')
})

it('uses the width of a very wide screen', async () => {
  const { api, page } = await openWeb({ viewport: { width: 2560, height: 1440 } })

  await page.goto(`/project/${api.projectId}/dashboards`)
  const content = page.getByRole('heading', { name: 'Dashboards' }).locator('../../..')
  await content.waitFor()

  expect((await content.boundingBox())?.width).toBeGreaterThan(1500)
})

it("has the app's font in the documentation", async () => {
  const { api, page } = await openWeb()
  const readFont = async (path: string) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.evaluate('document.fonts.ready.then(() => undefined)')
    return page.locator('body').evaluate(readStyle, 'fontFamily')
  }

  const [first = ''] = (await readFont(`/project/${api.projectId}/dashboards`)).split(',')
  expect(await readFont('/docs')).toMatch(new RegExp(`^${first}`))

  const loaded = "[...document.fonts].filter(({ status }) => status === 'loaded')"
  expect(await page.evaluate(`${loaded}.map(({ family }) => family)`)).toContain(
    first.replaceAll('"', ''),
  )
})

it("has the app's font on a shared page that does not exist", async () => {
  const { page } = await openWeb({ as: null })

  await page.goto('/shared/nothing')
  await page.getByRole('heading', { name: 'Dashboard not found' }).waitFor()

  const isLoaded = "[...document.fonts].some((font) => font.status === 'loaded')"
  await until(() => page.evaluate<boolean>(isLoaded))
})

import { expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { newEvent } from '../support/data/events.ts'
import { addVisits } from '../support/data/visits.ts'
import { expectNoProblems, openWeb, type Web } from './browser.ts'
import { drag, numberTile, openDashboard, pageOf, tileOf, wordsTile } from './dashboard.ts'

/** Sums all layout shifts of a page that no input has caused. */
const OBSERVE_SHIFTS = `
  globalThis.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) globalThis.layoutShift += value
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

async function addEvents({ api }: Web): Promise<void> {
  const hour = 3_600_000
  const events = Array.from({ length: 50 }, (_, index) =>
    newEvent({ timestamp: new Date(Date.now() - index * hour).toISOString() }),
  )
  await api.services.events.append(api.projectId, events)
}

it('does not jump while pages load', async () => {
  const web = await openWeb()
  const { api, page } = web
  await addEvents(web)
  const tiles = [numberTile('One'), numberTile('Two', 4), wordsTile('## Words', 8)]
  const { id } = await createDashboard(api, { name: 'Still', description: 'Calm', tiles })
  await page.addInitScript(OBSERVE_SHIFTS)
  const pages = [
    ...['dashboards', 'templates', 'insights', 'insights/new', 'events', 'persons', 'cohorts'],
    ...['apps', 'apps/gallery', 'connect', 'data', 'activity'],
    ...['project', 'alerts', 'members', 'projects', 'keys', 'account'].map(
      (key) => `settings/${key}`,
    ),
  ]
  const inProject = pages.map((path) => `/project/${api.projectId}/${path}`)
  const addresses = [pageOf(api, id), `${pageOf(api, id)}?kiosk`, ...inProject, '/docs/queries']

  const shifts: Record<string, number> = {}
  for (const address of addresses) {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    shifts[address] = await page.evaluate<number>('globalThis.layoutShift')
  }

  expect(Object.entries(shifts).filter(([, shift]) => !(shift < 0.05))).toEqual([])
})

it('resizes a tile without hiding it or selecting text around it', async () => {
  const web = await openWeb()
  const { page } = web
  await addEvents(web)
  await openDashboard(web, {
    name: 'Grid',
    tiles: [numberTile('One'), wordsTile('Words beside the tile', 4), wordsTile('Below', 0, 3)],
  })
  const tile = tileOf(page, 'One')
  await page.getByText('Words beside the tile').waitFor()
  const handle = tile.locator('..').locator('.react-resizable-handle')
  const box = await handle.boundingBox()
  if (!box) throw new Error('The handle is not visible.')

  await page.mouse.move(box.x + 8, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 150, box.y + 120, { steps: 6 })

  expect(await page.evaluate('String(getSelection())')).toBe('')
  const { x = 0, y = 0, width = 0, height = 0 } = (await tile.boundingBox()) ?? {}
  const middle = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})`
  const isCovered = await page.evaluate(`${middle}.closest('[aria-label="One"]') === null`)
  expect(isCovered).toBe(false)
  await page.mouse.up()
  expectNoProblems(web)
})

const visit = { id: 'visit', name: 'visit', type: 'events' }
/** A retention table that is larger than its tile. */
const WIDE = {
  ...numberTile('Wide', 4),
  insight: {
    name: 'Wide',
    query: {
      kind: 'InsightVizNode',
      source: {
        kind: 'RetentionQuery',
        retentionFilter: { totalIntervals: 20, targetEntity: visit, returningEntity: visit },
        dateRange: { date_from: '-19d' },
      },
    },
  },
}

it('scales to a wall screen, shows whole retention tables, and ends with Escape', async () => {
  const web = await openWeb({ viewport: { width: 2560, height: 1440 } })
  const { api, page } = web
  await addVisits(api, 3)
  const { id } = await createDashboard(api, { name: 'Wall', tiles: [numberTile('One'), WIDE] })
  await page.goto(`${pageOf(api, id)}?kiosk`)
  const heading = page.getByRole('heading', { name: 'One' })
  await heading.waitFor()

  const height = (await heading.boundingBox())?.height ?? 0
  expect(height).toBeGreaterThan(30)
  const table = tileOf(page, 'Wide').getByRole('table')
  const hidden = await table.evaluate(
    ({ parentElement: { scrollWidth, clientWidth, scrollHeight, clientHeight } }) => [
      scrollWidth - clientWidth,
      scrollHeight - clientHeight,
    ],
  )
  expect(hidden).toEqual([0, 0])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Share' }).waitFor()
  expect((await heading.boundingBox())?.height ?? 0).toBeLessThan(height / 1.5)
})

it('opens a new text for writing where it is visible', async () => {
  const web = await openWeb()
  const { page } = web
  const tiles = [0, 3, 6, 9, 12].map((y) => numberTile(`Row ${y}`, 0, y))
  await openDashboard(web, { name: 'Long', tiles })

  await page.getByRole('button', { name: 'Add tile', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Text' }).click()
  const field = page.getByLabel('Text in Markdown')
  await field.waitFor()
  await page.waitForFunction('document.activeElement?.tagName === "TEXTAREA"')
  await page.keyboard.type('Notes')
  const box = await field.boundingBox()
  expect(box && box.y > 0 && box.y + box.height <= 800).toBe(true)
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  await page.getByText('Notes', { exact: true }).waitFor()
  await drag(page, page.getByRole('heading', { name: 'Row 0' }), { x: 300, y: 0 })
  expectNoProblems(web)
})

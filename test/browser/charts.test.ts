import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { readPng } from '../pictures/png.ts'
import type { TestApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { addVisits, visits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { openWeb } from './browser.ts'
import { pageOf, tileOf } from './dashboard.ts'

const NAME = 'Visits by week'
const OVER_TIME = { trendsFilter: { display: 'ActionsLineGraph' }, interval: 'day' }

async function createChart(api: TestApp) {
  await addVisits(api, 3)
  const layouts = { sm: { x: 0, y: 0, w: 6, h: 5 } }
  const tile = { insight: { name: NAME, query: visits(OVER_TIME) }, layouts }
  const dashboard = await createDashboard(api, { name: 'Fonts', tiles: [tile] })
  const { body } = await api.patch(pathOf(dashboard.id, '/sharing'), { enabled: true })
  return { id: dashboard.id as number, token: body.access_token as string }
}

/** Takes a picture of a chart with its texts in another font. */
async function pictureIn(chart: Locator, font: string): Promise<Buffer> {
  await chart.evaluate((element, family) => {
    for (const text of element.querySelectorAll('text')) text.style.fontFamily = family
  }, font)
  return chart.screenshot()
}

/** Expects the same pixels in the font of the page, and others in the fonts that a browser falls back to. */
async function expectFont(page: Page, chart: Locator, font?: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  const own = await chart.screenshot()
  const expected =
    font ?? (await page.evaluate<string>('getComputedStyle(document.body).fontFamily'))

  expect(own.equals(await pictureIn(chart, expected))).toBe(true)
  for (const fallback of ['serif', 'sans-serif']) {
    expect([fallback, own.equals(await pictureIn(chart, fallback))]).toEqual([fallback, false])
  }
}

const downloadChart = async (api: TestApp, format: string) => {
  const { results } = (await api.get('insights')).body
  const headers = { authorization: `Bearer ${OWNER.apiKey}` }
  return fetch(api.address(`insights/${results[0].short_id}/export.${format}`), { headers })
}

/** An SVG text, whose type needs the library of browsers. */
interface Measurable {
  getComputedTextLength(): number
}

/** The summary for people who do not see the chart. */
const SUMMARY = /^visit, .* to .*; highest: 3 at /

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Boxes of texts are higher than their letters. */
const overlaps = (one: Box, other: Box, tolerance: number): boolean =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > 1 &&
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) > tolerance

/** Lists the boxes of the texts and marks of a chart. */
async function listBoxes(parts: Locator): Promise<Box[]> {
  const boxes = await Promise.all((await parts.all()).map((part) => part.boundingBox()))
  return boxes.filter((box) => box !== null)
}

describe('a chart', () => {
  it('keeps the labels of a funnel apart, without a font for Chinese too', async () => {
    const { api, page } = await openWeb()
    await addVisits(api, 3)
    const series = ['visit', 'a step with a rather long name', 'the last step'].map((event) => ({
      kind: 'EventsNode',
      event,
    }))
    const source = { kind: 'FunnelsQuery', series, dateRange: { date_from: '-7d' } }
    const breakdownFilter = { breakdown: 'browser', breakdown_type: 'event' }
    const tile = (name: string, more: object, x: number) => ({
      insight: { name, query: { kind: 'InsightVizNode', source: { ...source, ...more } } },
      layouts: { sm: { x, y: 0, w: 6, h: 5 } },
    })
    const tiles = [tile('Steps', {}, 0), tile('By browser', { breakdownFilter }, 6)]
    const { id } = await createDashboard(api, { tiles })

    await page.goto(pageOf(api, id))
    for (const name of ['Steps', 'By browser']) {
      const chart = tileOf(page, name).getByRole('img', { name })
      await chart.locator('text').first().waitFor()
      const texts = await listBoxes(chart.locator('text'))
      const marks =
        name === 'Steps'
          ? await listBoxes(chart.locator('path[fill^="#"]:not([fill-opacity])'))
          : []

      expect(texts.length).toBeGreaterThan(5)
      const pairs = texts.flatMap((text, at) => [
        ...texts.slice(at + 1).filter((other) => overlaps(text, other, 3)),
        ...marks.filter((mark) => overlaps(text, mark, 0)),
      ])
      expect([name, pairs]).toEqual([name, []])
    }
  })

  it("has the app's font and a summary on a dashboard", async () => {
    const { api, page } = await openWeb()
    const { id } = await createChart(api)

    await page.goto(pageOf(api, id))
    const chart = tileOf(page, NAME).getByRole('img', { name: NAME })
    await chart.locator('text').first().waitFor()

    await expectFont(page, chart)
    expect(await chart.getAttribute('aria-description')).toMatch(SUMMARY)
  })

  it('is a calendar heatmap with a summary on a dashboard', async () => {
    const { api, page } = await openWeb()
    await addVisits(api, 3)
    const query = visits({ trendsFilter: { display: 'CalendarHeatmap' }, interval: 'day' })
    const { id } = await createDashboard(api, { tiles: [{ insight: { name: NAME, query } }] })

    await page.goto(pageOf(api, id))
    const chart = tileOf(page, NAME).getByRole('img', { name: NAME })

    for (const day of ['Mon', 'Sun']) await chart.getByText(day, { exact: true }).waitFor()
    expect(await chart.getAttribute('aria-description')).toMatch(SUMMARY)
  })

  it("has the app's font and a summary on a shared page, drawn by the server and by the browser", async () => {
    const { api, page } = await openWeb({ as: null })
    const { token } = await createChart(api)
    const address = `/shared/${token}`
    await until(async () => !(await api.get(address)).text.includes('http-equiv="refresh"'))

    await page.route('**/*.json', (route) => route.abort())
    await page.goto(address)
    const drawn = page.locator('.chart > svg.wide')
    await expectFont(page, drawn)
    expect(await drawn.locator('desc').textContent()).toMatch(SUMMARY)

    await page.unrouteAll()
    await page.goto(address)
    const live = page.locator('.live')
    await live.locator('text').first().waitFor()
    await expectFont(page, live)
    expect(await live.getAttribute('aria-description')).toMatch(SUMMARY)
  })

  it("has the app's font in a file", async () => {
    const { api, page } = await openWeb()
    await createChart(api)
    const svg = await (await downloadChart(api, 'svg')).text()
    const png = readPng(new Uint8Array(await (await downloadChart(api, 'png')).arrayBuffer()))

    await page.goto('about:blank')
    await page.setContent(svg)
    const title = page.locator('text', { hasText: NAME })
    await expectFont(page, page.locator('svg'), 'Inter Variable')

    // the pixels of the title end where the title of the SVG ends
    await pictureIn(page.locator('svg'), 'Inter Variable')
    const width = await title.evaluate((text) =>
      (text as unknown as Measurable).getComputedTextLength(),
    )
    const ends = Array.from({ length: 40 }, (_, y) =>
      Array.from({ length: png.width }, (_, x) => x).findLast(
        (x) => png.at(x, 16 + y) !== '#ffffff',
      ),
    )
    const end = Math.max(...ends.map((x) => x ?? 0)) / 2
    expect(Math.abs(end - (20 + width))).toBeLessThan(4)
  })
})

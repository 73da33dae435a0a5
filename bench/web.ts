import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../test/browser/find-chromium.ts'
import { addConfig, call, runJob } from './api.ts'
import { type Running, startHedgerowForApps } from './processes.ts'
import { listRounds, ofRounds, type Result, toLine } from './result.ts'
import { measureFirstLoad } from './web-first-load.ts'
import { measureInteractions } from './web-interactions.ts'
import { drawn, open } from './web-page.ts'

const DASHBOARDS = '/api/environments/1/dashboards'
const DEMO_APP = 4
const EVENTS = 100_000

type Say = (text: string) => void

/** The parts of the bench, for `--only web-scroll`. */
export const WEB_PARTS = ['web-first-load', 'web-drag', 'web-scroll', 'web-interactions'] as const

/** Measures the app in a real browser, with 10,000 dashboards. */
export async function measureWeb(
  dataFolder: string,
  say: Say,
  isSelected: (part: string) => boolean,
): Promise<Result[]> {
  const server = await startHedgerowForApps(dataFolder)
  const browser = await chromium.launch({
    executablePath: findChromium({ countsFrames: true }),
    args: ['--disable-dev-shm-usage'],
  })
  try {
    const demo = await addConfig(server, DEMO_APP, {})
    await runJob(server, demo, 'Generate events', { events: EVENTS })
    const twelve = await makeDashboard(server, 12)
    const thirty = await makeDashboard(server, 30)
    const parts: Record<(typeof WEB_PARTS)[number], () => Promise<Result[]>> = {
      'web-first-load': () => measureFirstLoad(browser, server, twelve, say),
      'web-drag': () => measureDrag(browser, server, thirty, say),
      'web-scroll': () => measureList(browser, server, say),
      'web-interactions': () => measureInteractions(browser, server, twelve, say),
    }
    const results: Result[] = []
    for (const part of WEB_PARTS.filter(isSelected)) results.push(...(await parts[part]()))
    return results
  } finally {
    await browser.close()
    await server.stop()
  }
}

const NAMES = ['$pageview', 'signed_up', 'task_completed', 'purchased']

async function makeDashboard(server: Running, count: number): Promise<number> {
  const tiles = Array.from({ length: count }, (_, at) => ({
    layouts: { sm: { x: (at % 3) * 4, y: Math.floor(at / 3) * 4, w: 4, h: 4 } },
    insight: {
      name: `Tile ${at + 1}`,
      query: {
        kind: 'InsightVizNode',
        source: {
          kind: 'TrendsQuery',
          series: [{ event: NAMES[at % NAMES.length], math: at % 2 ? 'dau' : 'total' }],
          dateRange: { date_from: `-${30 + at}d` },
        },
      },
    },
  }))
  const { id } = await call(server, 'POST', DASHBOARDS, { name: `${count} tiles`, tiles })
  await call(server, 'GET', `${DASHBOARDS}/${id}?refresh=blocking`)
  return id
}

// A string, because Node's types have no window.
const COUNT_FRAMES = `
  const mine = { frames: 0, start: performance.now(), end: 0 }
  window.seen = mine
  const count = () => {
    mine.frames++
    mine.end = performance.now()
    if (window.seen === mine) requestAnimationFrame(count)
  }
  requestAnimationFrame(count)`

/** Measures frames per second during an action. */
async function countFrames(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(`(() => {${COUNT_FRAMES}})()`)
  await work()
  return page.evaluate<number>('(seen.frames * 1000) / (seen.end - seen.start)')
}

async function measureDrag(
  browser: Browser,
  server: Running,
  dashboard: number,
  say: Say,
): Promise<Result[]> {
  const rates: number[] = []
  for (let round = 0; round < 3; round++) {
    const page = await open(browser, server)
    await page.goto(`/project/1/dashboards/${dashboard}`)
    await drawn(page, 9)
    const handle = page.getByText('Tile 1', { exact: true }).first()
    const box = await handle.boundingBox()
    if (!box) throw new Error('There is no tile to drag.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    rates.push(
      await countFrames(page, async () => {
        // next to the title, which is a link
        await page.mouse.move(x + box.width, y)
        await page.mouse.down()
        for (let step = 0; step < 90; step++) {
          await page.mouse.move(x + 300 + 300 * Math.sin(step / 15), y + step * 6)
        }
        await page.mouse.up()
      }),
    )
    await page.context().close()
  }
  return [toSmooth('dragging a tile among 30', rates, say)]
}

async function measureList(browser: Browser, server: Running, say: Say): Promise<Result[]> {
  const page = await open(browser, server)
  await page.goto('/project/1/dashboards')
  await page.getByRole('listitem').first().waitFor()
  const rates: number[] = []
  for (let round = 0; round < 3; round++) {
    rates.push(
      await countFrames(page, async () => {
        for (let step = 0; step < 60; step++) {
          await page.mouse.wheel(0, 400)
          await page.waitForTimeout(16)
        }
      }),
    )
  }
  if ((await page.evaluate<number>('scrollY')) === 0) throw new Error('The list did not scroll.')
  await page.context().close()
  return [toSmooth('scrolling the list of 10,000 dashboards', rates, say)]
}

function toSmooth(what: string, rates: readonly number[], say: Say): Result {
  const result: Result = {
    subject: 'web',
    what,
    ...ofRounds(rates),
    unit: 'frames/s',
    goal: { atLeast: 50 },
    detail: listRounds(rates),
  }
  say(toLine(result))
  return result
}

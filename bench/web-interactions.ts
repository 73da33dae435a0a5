import type { Browser, Page } from 'playwright-core'
import type { Running } from './processes.ts'
import { type Result, toLine } from './result.ts'
import { drawn, open } from './web-page.ts'

/** The longest time from an input to the next paint. */
const GOAL_MS = 100
/** The browser reports event times in steps of 8 ms, from 16 ms. */
const SHORTEST_REPORTED_MS = 16

// A string, because Node's types have no window.
const OBSERVE = `
  window.slowest = 0
  new PerformanceObserver((list) => {
    for (const { duration, interactionId, name } of list.getEntries()) {
      if (interactionId || name === 'pointermove') window.slowest = Math.max(window.slowest, duration)
    }
  }).observe({ type: 'event', durationThreshold: ${SHORTEST_REPORTED_MS}, buffered: false })`

/** Measures interaction to next paint (INP) while dragging a tile, filtering a dashboard and typing a name. */
export async function measureInteractions(
  browser: Browser,
  server: Running,
  dashboard: number,
  say: (text: string) => void,
): Promise<Result[]> {
  const actions: readonly [string, (page: Page) => Promise<void>][] = [
    ['filtering a dashboard of 12 tiles', filter],
    ['typing the name of a dashboard of 12 tiles', typeName],
    // last, because a moved tile may leave the screen, and only visible tiles are drawn
    ['dragging a tile among 12', dragTile],
  ]
  const results: Result[] = []
  for (const [what, act] of actions) {
    const page = await open(browser, server)
    await page.goto(`/project/1/dashboards/${dashboard}`)
    await drawn(page, 12)
    await page.waitForTimeout(1000)
    await page.evaluate(`(() => {${OBSERVE}})()`)
    await act(page)
    await page.waitForTimeout(500)
    const slowest = await page.evaluate<number>('slowest')
    await page.context().close()
    const result: Result = {
      subject: 'web',
      what: `${what}: longest time from an input to the next paint`,
      value: Math.max(slowest, SHORTEST_REPORTED_MS),
      unit: 'ms',
      goal: { atMost: GOAL_MS },
      detail: slowest === 0 ? 'none long enough to be reported' : undefined,
    }
    say(toLine(result))
    results.push(result)
  }
  return results
}

async function dragTile(page: Page): Promise<void> {
  const box = await page.getByText('Tile 1', { exact: true }).first().boundingBox()
  if (!box) throw new Error('There is no tile to drag.')
  const [x, y] = [box.x + box.width * 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 0; step < 60; step++) {
    await page.mouse.move(x + 300 * Math.sin(step / 15), y + step * 6)
    await page.waitForTimeout(16)
  }
  await page.mouse.up()
}

async function filter(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).first().click()
  await page.keyboard.type('$browser', { delay: 60 })
  await page.keyboard.press('Escape')
}

async function typeName(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().click()
  await page.keyboard.type('A dashboard with a long name', { delay: 40 })
  await page.keyboard.press('Escape')
}

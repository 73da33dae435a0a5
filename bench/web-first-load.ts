import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { Running } from './processes.ts'
import { listRounds, ofRounds, type Result, toLine } from './result.ts'
import { drawn, open, timeLoad } from './web-page.ts'

const DIST = fileURLToPath(new URL('../web/dist', import.meta.url))
const ROUNDS = 9
const KB = 1000
/** The files that draw charts. */
const CHARTS = /(drawn-chart|echarts|charts)-/

/** Measures how long a dashboard of 12 tiles and the list take with an empty browser cache, and weighs the scripts. */
export async function measureFirstLoad(
  browser: Browser,
  server: Running,
  dashboard: number,
  say: (text: string) => void,
): Promise<Result[]> {
  const path = `/project/1/dashboards/${dashboard}`
  const scripts = await listScripts(browser, server, path)
  const times = await timeLoads(browser, server, path, (page) => drawn(page, 12))
  const ofList = await timeLoads(browser, server, '/project/1/dashboards', (page) =>
    page.getByRole('listitem').first().waitFor(),
  )
  const charts = weigh(scripts.filter((script) => CHARTS.test(script)))
  const rest = weigh(scripts.filter((script) => !CHARTS.test(script)))
  const results: Result[] = [
    {
      subject: 'web',
      what: 'first load of a dashboard of 12 tiles: JavaScript before charts, gzipped',
      value: rest,
      unit: 'kB',
      goal: { atMost: 235 },
      detail: `${scripts.length} files`,
    },
    {
      subject: 'web',
      what: 'what draws charts, gzipped',
      value: charts,
      unit: 'kB',
      goal: { atMost: 215 },
    },
    {
      subject: 'web',
      what: 'from navigation to 12 tiles drawn, results known, empty browser cache',
      ...ofRounds(times),
      unit: 'ms',
      goal: { atMost: 800 },
      detail: listRounds(times),
    },
    {
      subject: 'web',
      what: 'from navigation to the list of 10,000 dashboards, empty browser cache',
      ...ofRounds(ofList),
      unit: 'ms',
      goal: { atMost: 500 },
      detail: listRounds(ofList),
    },
  ]
  for (const result of results) say(toLine(result))
  return results
}

async function timeLoads(
  browser: Browser,
  server: Running,
  path: string,
  shown: (page: Page) => Promise<void>,
): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await timeLoad(browser, server, path, shown))
  }
  return times
}

// Strings, because Node's types have no window.
const NOTE_WHEN_DRAWN = `
  new MutationObserver((_, observer) => {
    if (document.querySelectorAll('[role="img"] svg').length < 12) return
    window.drawnAt = performance.now()
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`
const SCRIPTS_UNTIL_DRAWN = `
  performance.getEntriesByType('resource')
    .filter(({ startTime }) => startTime < window.drawnAt)
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.endsWith('.js'))`

/** Lists the scripts that are requested before the charts are drawn; dialogs load later, while the browser is idle. */
async function listScripts(browser: Browser, server: Running, path: string): Promise<string[]> {
  const page = await open(browser, server)
  await page.addInitScript(NOTE_WHEN_DRAWN)
  await page.goto(path, { waitUntil: 'commit' })
  await drawn(page, 12)
  const scripts = await page.evaluate<string[]>(SCRIPTS_UNTIL_DRAWN)
  await page.context().close()
  return scripts
}

const weigh = (paths: readonly string[]): number =>
  Math.round(paths.reduce((sum, path) => sum + sizeOf(path), 0) / KB)

/** Small files are sent uncompressed. */
function sizeOf(path: string): number {
  const file = statSync(`${DIST}${path}.gz`, { throwIfNoEntry: false }) ?? statSync(DIST + path)
  return file.size
}

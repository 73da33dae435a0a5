import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { DEFAULT_KEYS } from '#server/analytics/materialized-properties.ts'
import { findChromium } from '../test/browser/find-chromium.ts'
import { call, readToken } from './api.ts'
import { type Running, startHedgerow } from './processes.ts'
import { makeEvents } from './query-data.ts'
import { listRounds, ofRounds, type Result, toLine } from './result.ts'
import { seedEvents } from './seed-events.ts'
import { visitsUntil } from './visits-data.ts'
import { timeLoad } from './web-page.ts'

const EVENTS = 10_000_000
const ROUNDS = 5
/** A property gets a column within seconds of the first query that reads it. */
const COLUMNS_MS = 60_000
const PAGE = '/project/1/web'
/** The first time, before properties have columns. */
const MAX_MS = 300_000

type Say = (text: string) => void

/** Measures how long the page *Web* takes to draw the last week and the week before it. */
export async function measureVisits(dataFolder: string, say: Say): Promise<Result[]> {
  say(`making ${EVENTS.toLocaleString('en')} events in visits of 8 views`)
  const visits = visitsUntil(new Date().toISOString())
  await seedEvents(dataFolder, (folder) =>
    makeEvents(folder, EVENTS, say, { toInsertion: visits, materialized: DEFAULT_KEYS }),
  )
  const server = await startHedgerow(dataFolder)
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--disable-dev-shm-usage'],
  })
  try {
    await timeDrawn(browser, server)
    await wait(COLUMNS_MS)
    await timeDrawn(browser, server)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await makeStale(server, round)
      times.push(await timeDrawn(browser, server))
    }
    const result: Result = {
      subject: 'web',
      what: 'page Web over 10 million events, nothing known, until its figures, chart and lists are drawn',
      ...ofRounds(times),
      unit: 'ms',
      goal: { atMost: 800 },
      detail: listRounds(times),
    }
    say(toLine(result))
    return [result]
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** A new event makes all results stale. */
async function makeStale(server: Running, round: number): Promise<void> {
  const event = { api_key: await readToken(server), event: 'round', distinct_id: `round ${round}` }
  await call(server, 'POST', '/i/v0/e', event)
}

/** The four lists of breakdowns: without events of other names than views, there are no goals to list. */
const LISTS = 4

const timeDrawn = (browser: Browser, server: Running): Promise<number> =>
  timeLoad(browser, server, PAGE, async (page) => {
    page.setDefaultTimeout(MAX_MS)
    await page.locator('[role="img"] svg').first().waitFor()
    const lists = page.locator('main table')
    await lists.nth(LISTS - 1).waitFor()
  })

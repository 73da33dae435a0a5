import type { Browser, Page } from 'playwright-core'
import type { Running } from './processes.ts'
import { BENCH_KEY } from './seed.ts'

/** Tall enough to show all twelve tiles. */
const VIEWPORT = { width: 1440, height: 1500 }

/** A new window of Chromium loads the pages of its own address bar, with hundreds of scripts, for about a second. */
const NEW_WINDOW_MS = 1500

/** A browser with an empty cache, in a window that is ready. */
export async function open(browser: Browser, server: Running): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: VIEWPORT,
    extraHTTPHeaders: { authorization: `Bearer ${BENCH_KEY}` },
  })
  const page = await context.newPage()
  await page.waitForTimeout(NEW_WINDOW_MS)
  return page
}

/** Times a page from the navigation until it is shown, with an empty cache. */
export async function timeLoad(
  browser: Browser,
  server: Running,
  path: string,
  shown: (page: Page) => Promise<void>,
): Promise<number> {
  const page = await open(browser, server)
  const start = performance.now()
  await page.goto(path, { waitUntil: 'commit' })
  await shown(page)
  const took = performance.now() - start
  await page.context().close()
  return took
}

export const drawn = (page: Page, count: number) =>
  page
    .locator('[role="img"] svg')
    .nth(count - 1)
    .waitFor()

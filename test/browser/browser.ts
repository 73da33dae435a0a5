import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { startApp, type TestApp } from '../app.ts'
import { findChromium } from './find-chromium.ts'

/** A first paint on a busy machine takes seconds; what is not there then does not come. */
const PATIENCE_MS = 30_000

let browser: Promise<Browser> | undefined

/** One for all tests of a worker, with which it ends. */
function launch(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: findChromium(),
    args: ['--disable-dev-shm-usage'],
  })
  return browser
}

export interface Web {
  readonly api: TestApp
  readonly page: Page
  /** What the page's policy refused, and what went wrong in its scripts. */
  readonly problems: readonly string[]
}

export interface OpenOptions extends BrowserContextOptions {
  /** Who is signed in: the owner, unless said. null: nobody. */
  readonly as?: { readonly userId: number } | null
}

/** The service as in production, and a browser in front of it. */
export async function startWeb(options?: OpenOptions): Promise<Web> {
  const api = await startApp()
  return { api, ...(await openBrowser(api, options)) }
}

/** Another browser, of somebody else. */
export async function openBrowser(
  api: TestApp,
  { as = { userId: 1 }, ...options }: OpenOptions = {},
): Promise<Omit<Web, 'api'>> {
  const context = await (await launch()).newContext({
    baseURL: api.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce', // what fades in is there or not, and has its colours at once
    ...options,
  })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(PATIENCE_MS)
  if (as) {
    const { token } = await api.withSession(as.userId)
    await context.addCookies([{ name: 'hedgerow_session', value: token, url: api.url }])
  }
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    const isRefusal = /Content Security Policy/.test(message.text())
    if (isRefusal) problems.push(message.text())
  })
  return { page, problems }
}

/** Nothing was refused by the page's policy, and no script failed. */
export function expectNoProblems({ problems }: Pick<Web, 'problems'>): void {
  expect(problems).toEqual([])
}

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { startApp, type TestApp, useApp } from '../app.ts'
import { findChromium } from './find-chromium.ts'

/** A first paint on a busy machine takes seconds. */
const TIMEOUT_MS = 30_000

let browser: Promise<Browser> | undefined

/** One browser per worker; it ends with the worker. */
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
  /** CSP violations and uncaught errors of the page. */
  readonly problems: readonly string[]
}

export interface OpenOptions extends BrowserContextOptions {
  /** The signed-in user: the owner by default, null for none. */
  readonly as?: { readonly userId: number } | null
}

/** Starts an app of its own, and a browser in front of it. */
export async function startWeb(options?: OpenOptions): Promise<Web> {
  const api = await startApp()
  return { api, ...(await openBrowser(api, options)) }
}

let sharedContext: Promise<BrowserContext> | undefined

/**
 * Opens a fresh project of the worker's shared app in the worker's shared context, whose caches stay warm. Tests about
 * users, organizations, installed apps or workers call `startWeb()`.
 */
export async function openWeb(): Promise<Web> {
  const api = await useApp()
  sharedContext ??= newContext(api, {})
  const context = await sharedContext
  const page = await openPage(context, api, { userId: 1 })
  onTestFinished(async () => {
    await page.page.evaluate('localStorage.clear()')
    await page.page.close()
    await context.clearCookies()
  })
  return { api, ...page }
}

/** Opens a browser of its own, for another user or with other options. */
export async function openBrowser(
  api: TestApp,
  { as = { userId: 1 }, ...options }: OpenOptions = {},
): Promise<Omit<Web, 'api'>> {
  const context = await newContext(api, options)
  onTestFinished(() => context.close())
  return openPage(context, api, as)
}

async function newContext(api: TestApp, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await launch()).newContext({
    baseURL: api.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce', // no fading, so elements have their final colors immediately
    ...options,
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  return context
}

async function openPage(
  context: BrowserContext,
  api: TestApp,
  as: OpenOptions['as'],
): Promise<Omit<Web, 'api'>> {
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

/** Expects no CSP violation and no uncaught error. */
export function expectNoProblems({ problems }: Pick<Web, 'problems'>): void {
  expect(problems).toEqual([])
}

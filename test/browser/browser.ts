import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { startApp, type TestApp, useApp } from '../support/app/app.ts'
import { findChromium } from './find-chromium.ts'

/** A first paint on a busy machine takes seconds. */
const TIMEOUT_MS = 60_000

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
  /** True if the test changes the clock: a context keeps a changed clock. */
  readonly changesClock?: boolean
}

/** Starts a separate app and opens a browser on it. */
export async function startWeb(options?: OpenOptions): Promise<Web> {
  const api = await startApp()
  return { api, ...(await openBrowser(api, options)) }
}

let sharedUrl: string | undefined

/**
 * Opens a fresh project of the worker's shared app. Tests about users, organizations, installed apps or workers call
 * `startWeb()`.
 */
export async function openWeb(options?: OpenOptions): Promise<Web> {
  const api = await useApp()
  sharedUrl = api.url
  return { api, ...(await openBrowser(api, options)) }
}

/** Opens a browser that shares nothing with the test's other browsers. On the shared app its HTTP cache is warm. */
export async function openBrowser(
  api: TestApp,
  { as = { userId: 1 }, changesClock = false, ...options }: OpenOptions = {},
): Promise<Omit<Web, 'api'>> {
  const isReusable = api.url === sharedUrl && !changesClock
  const context = await (isReusable ? borrowContext(api, options) : ownContext(api, options))
  return openPage(context, api, as)
}

/** Idle contexts of the shared app, by their options. */
const idle = new Map<string, BrowserContext[]>()

/**
 * Lends a context to the current test. When the test returns it, cookies and storage are cleared but the HTTP cache
 * stays.
 */
async function borrowContext(
  api: TestApp,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const key = JSON.stringify(options)
  const context = idle.get(key)?.pop() ?? (await newContext(api, options))
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') return context.close()
    await Promise.all(context.pages().map((page) => page.close()))
    await context.setStorageState({ cookies: [], origins: [] })
    idle.set(key, [...(idle.get(key) ?? []), context])
  })
  return context
}

async function ownContext(api: TestApp, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await newContext(api, options)
  onTestFinished(() => context.close())
  return context
}

async function newContext(api: TestApp, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await launch()).newContext({
    baseURL: api.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce', // no fading, so elements have their final colors at once
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
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printPage(page)
  })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    const isRefusal = /Content Security Policy/.test(message.text())
    if (isRefusal) problems.push(message.text())
  })
  return { page, problems }
}

/** Prints what a failed test's page shows: a busy run of all tests is rarely repeated alike. */
async function printPage(page: Page): Promise<void> {
  const text = await page.innerText('body', { timeout: 5_000 }).catch(String)
  console.error(`${page.url()} shows:\n${text}`)
}

/** Expects no CSP violation and no uncaught error. */
export function expectNoProblems({ problems }: Pick<Web, 'problems'>): void {
  expect(problems).toEqual([])
}

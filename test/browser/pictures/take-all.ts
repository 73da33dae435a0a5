import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { TABS } from '../../../web/src/features/apps/search.ts'
import { SECTION_NAMES } from '../../../web/src/features/settings/section-names.ts'
import { findChromium } from '../find-chromium.ts'

/**
 * Run by `npm run pictures:all`: takes pictures of every page of the demo in each look and writes them into a folder, by
 * default `pictures`. They are to be looked at, not compared: their dates and numbers change from day to day.
 */
const folder = resolve(process.argv[2] ?? 'pictures')

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: {
    colorScheme: 'light',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    deviceScaleFactor: 2,
  },
}

/** Only dashboards are for a screen on a wall. */
const WALL: BrowserContextOptions = {
  colorScheme: 'dark',
  viewport: { width: 1920, height: 1080 },
}

const MAX_SCREENS = 3

interface Demo {
  readonly url: string
  readonly link: string
  /** The API key. */
  readonly value: string
}

type Paths = Readonly<Record<string, string>>

const { demo, stop } = await startDemo()
const browser = await chromium.launch({ executablePath: findChromium() })
try {
  mkdirSync(folder, { recursive: true })
  await waitForEvents()
  const pages = await listPages()
  for (const [look, options] of Object.entries(LOOKS)) await takeAll(look, options, pages)
  await takeAll('wall', WALL, toWallPages(pages))
  console.log(`The pictures are in ${folder}.`)
} finally {
  await browser.close()
  await stop()
}

async function startDemo(): Promise<{ demo: Demo; stop: () => Promise<unknown> }> {
  const server = spawn(process.execPath, ['bin/hedgerow.mjs', 'demo', '--json', '--no-open'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(server.stdout), 'line')
  const stop = async () => {
    const exited = once(server, 'exit')
    server.kill('SIGTERM')
    await exited
  }
  return { demo: JSON.parse(line), stop }
}

async function read<T>(path: string): Promise<T> {
  const headers = { authorization: `Bearer ${demo.value}` }
  const response = await fetch(`${demo.url}/api/projects/1/${path}`, { headers })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Returns the field of the first item of a list. */
async function findFirst(path: string, field: string): Promise<string> {
  const { results } = await read<{ results: Readonly<Record<string, unknown>>[] }>(path)
  return String(results[0]?.[field])
}

async function waitForEvents(): Promise<void> {
  const configs = 'pipeline_import_apps_configs'
  const { results } = await read<{ results: { id: number }[] }>(configs)
  for (const { id } of results) {
    while (['queued', 'running'].includes(await findFirst(`${configs}/${id}/runs`, 'state'))) {
      await sleep(500)
    }
  }
}

/** Lists the paths of all pages, by the names of their pictures. */
async function listPages(): Promise<Paths> {
  const { results: dashboards } = await read<{ results: { id: number }[] }>('dashboards')
  const config = await findFirst('pipeline_import_apps_configs', 'id')
  const paths = {
    connect: 'connect',
    dashboards: 'dashboards',
    templates: 'templates',
    ...Object.fromEntries(dashboards.map(({ id }) => [`dashboard-${id}`, `dashboards/${id}`])),
    insights: 'insights',
    'insight-new': 'insights/new',
    insight: `insights/${await findFirst('insights', 'short_id')}`,
    apps: 'apps',
    'app-gallery': 'apps/gallery',
    'app-source': 'apps/source',
    'app-connector': 'apps/connector',
    ...Object.fromEntries(TABS.map((tab) => [`app-${tab}`, `apps/${config}?tab=${tab}`])),
    web: 'web',
    events: 'events',
    persons: 'persons',
    person: `persons/${await findFirst('persons', 'uuid')}`,
    groups: 'groups',
    cohorts: 'cohorts',
    cohort: `cohorts/${await findFirst('cohorts', 'id')}`,
    actions: 'actions',
    action: `actions/${await findFirst('actions', 'id')}`,
    data: 'data',
    activity: 'activity',
    alerts: 'alerts',
    ...Object.fromEntries(
      Object.keys(SECTION_NAMES).map((section) => [`settings-${section}`, `settings/${section}`]),
    ),
  }
  const project = Object.entries(paths).map(([name, path]) => [name, `/project/1/${path}`])
  return {
    ...Object.fromEntries(project),
    shared: await findShared(dashboards),
    docs: '/docs',
    missing: '/no/such/page',
  }
}

/** Returns the path of the public page of a dashboard; the demo shares one. */
async function findShared(dashboards: readonly { readonly id: number }[]): Promise<string> {
  for (const { id } of dashboards) {
    const path = `dashboards/${id}/sharing`
    const { enabled, access_token } = await read<{ enabled: boolean; access_token: string }>(path)
    if (enabled) return `/shared/${access_token}`
  }
  throw new Error('The demo shares no dashboard.')
}

function toWallPages(pages: Paths): Paths {
  const walls = Object.entries(pages).filter(([name]) => name.startsWith('dashboard-'))
  return Object.fromEntries(walls.map(([name, path]) => [name, `${path}?kiosk=true`]))
}

async function takeAll(look: string, options: BrowserContextOptions, pages: Paths): Promise<void> {
  const context = await browser.newContext({
    ...options,
    baseURL: demo.url,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(demo.link)
  for (const [name, path] of Object.entries(pages)) {
    await open(page, path)
    const { width, height } = page.viewportSize() as { width: number; height: number }
    const length = await page.evaluate<number>('document.documentElement.scrollHeight')
    // charts and rows are drawn once they are in view
    await page.setViewportSize({ width, height: Math.min(length, MAX_SCREENS * height) })
    await settle(page)
    await page.screenshot({ path: join(folder, `${name}-${look}.png`) })
    await page.setViewportSize({ width, height })
  }
  await context.close()
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await settle(page)
}

/** Waits until a page looks the same twice, because some pages never stop asking for news. */
async function settle(page: Page): Promise<void> {
  let before: Buffer = Buffer.alloc(0)
  for (let tries = 0; tries < 12; tries++) {
    const now = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    if (now.equals(before) && (await page.getByRole('status', { name: 'Loading' }).count()) === 0)
      return
    before = now
    await sleep(500)
  }
}

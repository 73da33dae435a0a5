import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { CONFIGS } from '../app.ts'
import { startTestWorker } from '../import-app.ts'
import { PLUGINS, sourceOf } from '../plugin.ts'
import { until } from '../until.ts'
import { expectAccessible } from './accessible.ts'
import { type OpenOptions, startWeb } from './browser.ts'

const APPS = '/project/1/apps'
const TABS = ['Jobs', 'Runs', 'Logs', 'Health', 'Activity']
const SCHEMES = ['light', 'dark'] as const

/** An app that failed, one that lacks settings, and one that is disabled. */
async function startApps(options: OpenOptions): Promise<Page> {
  const { api, page } = await startWeb(options)
  startTestWorker(api)
  const code = `export const jobs = { work() { throw new Error('No such shop') } }`
  const config = [
    { key: 'shop', name: 'Shop', type: 'string', required: true, default: 'corner' },
    { key: 'token', name: 'Token', type: 'string', secret: true },
    { key: 'file', name: 'File', type: 'attachment', hint: 'A list of orders.' },
  ]
  const manifest = { config, publicJobs: { work: { payload: { since: { type: 'date' } } } } }
  const { body } = await api.post(PLUGINS, sourceOf(code, manifest))
  await api.post(CONFIGS, { plugin: body.id, enabled: true, name: 'Mine' })
  await api.patch(`${CONFIGS}/1/settings`, { settings: { token: 'abc' } })
  await api.post(CONFIGS, { plugin: 3, enabled: true })
  await api.post(CONFIGS, { plugin: 4, enabled: false })
  await api.post(`${CONFIGS}/1/job`, {})
  await until(async () => (await api.get(`${CONFIGS}/1`)).body.error !== '')
  return page
}

async function open(page: Page, place: string): Promise<void> {
  await page.goto(APPS + place)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await isThere(page)
}

const isThere = (page: Page) =>
  page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })

/** Nothing sticks out to the right. */
const fits = (page: Page) =>
  page.waitForFunction('document.documentElement.scrollWidth <= innerWidth')

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
  await page.getByRole('tab', { name, selected: true }).waitFor()
  await isThere(page)
}

describe('the pages of import apps', () => {
  it.each(SCHEMES)('are accessible in the %s', async (colorScheme) => {
    const page = await startApps({ colorScheme, bypassCSP: true })

    for (const place of ['', '/gallery', '/source']) {
      await open(page, place)
      await expectAccessible(page)
    }
  })

  it.each(SCHEMES)('are accessible in the %s, each tab of an app', async (colorScheme) => {
    const page = await startApps({ colorScheme, bypassCSP: true })

    await open(page, '/1')
    await expectAccessible(page)
    for (const tab of TABS) {
      await openTab(page, tab)
      await expectAccessible(page)
    }
  })

  it('fit a phone', async () => {
    const page = await startApps({ viewport: { width: 360, height: 740 } })

    for (const place of ['', '/gallery', '/source', '/1']) {
      await open(page, place)
      await fits(page)
    }
    for (const tab of TABS) {
      await openTab(page, tab)
      await fits(page)
    }
  })
})

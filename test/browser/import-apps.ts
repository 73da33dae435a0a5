import type { Page } from 'playwright-core'
import { CONFIGS, type TestApp } from '../support/app/app.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { PLUGINS, sourceOf } from '../support/app/plugin.ts'
import { until } from '../support/until.ts'

export const TABS = ['Jobs', 'Runs', 'Logs', 'Health', 'Activity']

/** Creates a failed import app, one that needs settings, and a disabled one. */
export async function createImportApps(api: TestApp): Promise<void> {
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
}

/** Waits for the heading, and for placeholders to disappear. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
}

export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
  await page.getByRole('tab', { name, selected: true }).waitFor()
  await waitUntilLoaded(page)
}

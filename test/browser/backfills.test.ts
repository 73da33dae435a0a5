import { expect, it } from 'vitest'
import { CONFIGS } from '../support/app/app.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { PLUGINS, sourceOf } from '../support/app/plugin.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { openTab } from './import-apps.ts'

/** Fails once, in its third window. */
const APP = `
  export async function runBackfill({ from }, { cache }) {
    if (from.startsWith('2025-03-03') && !(await cache.get('failed'))) {
      await cache.set('failed', true, 600)
      throw new Error('The service is down.')
    }
    await posthog.capture('order', { distinct_id: 'ada', timestamp: from })
  }
  export const jobs = {
    async work(payload, { storage }) { await storage.set('cursor', '2026-01-05') },
  }
`

it('imports the past, resumes after a failure, and resets the state', {
  timeout: MANY_CHECKS_MS,
}, async () => {
  const web = await openWeb({ bypassCSP: true })
  const { api, page } = web
  startTestWorker(api)
  const { body: app } = await api.post(PLUGINS, sourceOf(APP, { publicJobs: { work: {} } }))
  const { body: config } = await api.post(CONFIGS, { plugin: app.id, enabled: true })
  await api.post(`${CONFIGS}/${config.id}/job`, {})
  await page.goto(`/project/${api.projectId}/apps/${config.id}`)
  await openTab(page, 'Backfills')
  await expectAccessible(page)

  await page.getByLabel('First day').fill('2025-03-01')
  await page.getByLabel('Last day').fill('2025-03-04')
  await page.getByLabel('Last day').press('Tab')
  await page.getByRole('button', { name: 'Start backfill' }).click()
  await page.getByText('The service is down.').waitFor()
  await page.getByText('2 of 4 windows, 2 events').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Resume backfill' }).click()
  await page.getByText('4 of 4 windows, 4 events').waitFor()

  await openTab(page, 'State')
  const state = page.getByLabel('State as JSON')
  expect(JSON.parse(await state.inputValue())).toEqual({ cursor: '2026-01-05' })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reset state' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset state?' })
  await dialog.getByRole('button', { name: 'Reset state' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForFunction(`document.querySelector('textarea')?.value === '{}'`)
  expectNoProblems(web)
})

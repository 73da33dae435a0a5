import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CONFIGS, type TestApp } from '../support/app/app.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { PLUGINS, sourceOf } from '../support/app/plugin.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb, startWeb } from './browser.ts'

const CSV = 2
const APPS = '/project/1/apps'

const ORDERS = `email,at,total
ada@example.com,2026-03-01T10:00:00Z,5
bob@example.com,2026-03-02T10:00:00Z,7
eve@example.com,2026-03-03T10:00:00Z,9
`

const WAITS = `
  export const jobs = {
    async work(payload, meta) {
      meta.utils.progress(43, 100, 'Reading page 43')
      console.log('I am reading')
      for (;;) await meta.utils.sleep(50)
    },
  }
`

const publicJobs = { work: {} }

/** Installs an app with this code and adds it as config 1, enabled. */
async function addApp(api: TestApp, code: string, manifest: object = { publicJobs }) {
  const { body } = await api.post(PLUGINS, sourceOf(code, manifest))
  await api.post(CONFIGS, { plugin: body.id, enabled: true, name: 'Mine' })
}

const namesOf = (page: Page) =>
  page.getByRole('list', { name: 'Import apps' }).getByRole('link').allTextContents()

it('imports the events of a CSV file, from the empty list to the finished run', async () => {
  const web = await startWeb()
  const { api, page } = web
  startTestWorker(api)

  await page.goto(APPS)
  await page.getByRole('link', { name: 'Add import app' }).click()
  await page.getByRole('button', { name: 'Add to project: CSV' }).click()
  await page.getByRole('combobox', { name: 'Event name or column' }).fill('order')
  await page.getByRole('combobox', { name: 'Person column' }).fill('email')
  await page.getByRole('combobox', { name: 'Time column' }).fill('at')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(ORDERS) })
  await page.getByText('orders.csv').waitFor()
  await page.getByRole('button', { name: 'Save, enable and run' }).click()

  await page.getByRole('tab', { name: 'Runs', selected: true }).waitFor()
  await page.getByRole('tabpanel').getByText('Succeeded').waitFor()
  await page.getByText('3 read, 3 new').waitFor()
  await page.getByRole('switch', { name: 'Enable CSV', checked: true }).waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByText(/orders\.csv \(\d+ bytes\)/).waitFor()
  expectNoProblems(web)
})

it('never shows a secret, keeps it when another setting changes, and escapes texts', async () => {
  const web = await startWeb()
  const { api, page } = web
  startTestWorker(api)
  const config = [
    {
      markdown: 'Read **this** <script>window.hacked = 1</script> [x](javascript:window.hacked=1)',
    },
    { key: 'token', name: 'Token', type: 'string', secret: true, required: true },
    { key: 'shop', name: 'Shop', type: 'string', hint: '<img src=x onerror="window.hacked=1">' },
  ]
  const code = `export const jobs = {
    work(payload, { config }) {
      if (config.token !== 'hunter2-and-more') throw new Error('The token is gone')
      posthog.capture('visit', { shop: config.shop })
    },
  }`
  await addApp(api, code, { config, publicJobs })
  await api.patch(`${CONFIGS}/1/settings`, { settings: { token: 'hunter2-and-more' } })
  const responses: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/api/') && !response.url().endsWith('/live')) {
      responses.push(await response.text().catch(() => ''))
    }
  })

  await page.goto(`${APPS}/1`)
  await page.getByPlaceholder('Leave empty to keep the current value').waitFor()
  await page.getByText('<script>').waitFor()
  await page.getByLabel('Shop').fill('<b>corner</b>')
  await page.getByRole('button', { name: 'Save and run' }).click()

  await page.getByRole('tabpanel').getByText('Succeeded').waitFor()
  expect(await page.content()).not.toContain('hunter2')
  expect(responses.join()).not.toContain('hunter2')
  expect(responses.join()).toContain('corner')
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  expectNoProblems(web)
})

it('streams progress and log lines, cancels the run, and retries it', async () => {
  const { api, page } = await startWeb()
  startTestWorker(api)
  await addApp(api, WAITS)
  await page.goto(`${APPS}/1?tab=logs`)
  await page.getByText('No logs yet').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  await api.post(`${CONFIGS}/1/job`, {})

  await page.getByText('Reading page 43').waitFor()
  await page.getByText('43 of 100 (43%)').waitFor()
  await page.getByRole('log').getByText('I am reading').waitFor()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('tabpanel').getByText('Canceled', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Retry run' }).click()
  await until(async () => (await api.get(`${CONFIGS}/1/runs`)).body.count === 2)
  await page.getByText('Reading page 43').waitFor()
})

it('reorders import apps by keyboard, and reverts when the server rejects it', async () => {
  const { api, page } = await openWeb()
  for (const name of ['One', 'Two', 'Three']) await api.post(CONFIGS, { plugin: CSV, name })
  await page.goto(`/project/${api.projectId}/apps`)
  await page.getByRole('link', { name: 'Three' }).waitFor()
  const moveUp = async (name: string) => {
    await page.getByRole('button', { name: `Move ${name}` }).focus()
    await page.keyboard.press('Space')
    await page.getByText(`${name} is at position 3 of 3.`).waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowUp')
    await page.getByText(`${name} is at position 2 of 3.`).waitFor({ state: 'attached' })
    await page.keyboard.press('Space')
  }

  await moveUp('Three')

  await until(async () => (await namesOf(page)).join() === 'One,Three,Two')
  await until(async () => {
    const { body } = await api.get(CONFIGS)
    return body.results.map(({ name }: { name: string }) => name).join() === 'One,Three,Two'
  })
  await page.route('**/rearrange', (route) => route.fulfill({ status: 503, json: {} }))
  // no response: the order must revert immediately, not with the next refetch
  await page.route('**/pipeline_import_apps_configs?*', () => undefined)
  await moveUp('Two')
  await page.getByText('Something went wrong').waitFor()
  await until(async () => (await namesOf(page)).join() === 'One,Three,Two')
})

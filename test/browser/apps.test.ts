import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp } from '../app.ts'
import { startTestWorker } from '../import-app.ts'
import { PLUGINS, sourceOf } from '../plugin.ts'
import { until } from '../until.ts'
import { expectNoProblems, startWeb } from './browser.ts'

const CSV = 2
const DEMO = 4
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

/** Config 1, enabled, of an app with this code. */
async function addApp(api: TestApp, code: string, manifest: object = { publicJobs }) {
  const { body } = await api.post(PLUGINS, sourceOf(code, manifest))
  await api.post(CONFIGS, { plugin: body.id, enabled: true, name: 'Mine' })
}

const namesOf = (page: Page) =>
  page.getByRole('list', { name: 'Import apps' }).getByRole('link').allTextContents()

describe('the pages of import apps', () => {
  it('lead from nothing to the events of a file by one button', async () => {
    const web = await startWeb()
    const { api, page } = web
    startTestWorker(api)

    await page.goto(APPS)
    await page.getByRole('link', { name: 'Add import app' }).click()
    await page.getByRole('button', { name: 'Add CSV to project' }).click()
    await page.getByLabel('Event name or column').fill('order')
    await page.getByLabel('Person column').fill('email')
    await page.getByLabel('Time column').fill('at')
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(ORDERS) })
    await page.getByText('orders.csv').waitFor()
    await page.getByRole('button', { name: 'Save, enable and run' }).click()

    await page.getByRole('tab', { name: 'Runs', selected: true }).waitFor()
    await page.getByRole('tabpanel').getByText('Succeeded').waitFor()
    await page.getByText('3 events', { exact: true }).waitFor()
    await page.getByRole('switch', { name: 'Enable CSV', checked: true }).waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText(/orders\.csv \(\d+ bytes\)/).waitFor()
    expectNoProblems(web)
  })

  it('show what the server refuses at the field it is about, and lose nothing that was typed', async () => {
    const { api, page } = await startWeb()
    const config = [{ key: 'mapping', name: 'Mapping', type: 'json' }]
    await addApp(api, 'export const jobs = {}', { config })
    await page.goto(`${APPS}/1`)

    await page.getByLabel('Mapping').fill('{ "a": ')
    await page.getByRole('button', { name: 'Save settings' }).click()

    await page.getByText('Not valid JSON.').waitFor()
    expect(await page.getByLabel('Mapping').getAttribute('aria-invalid')).toBe('true')
    expect((await api.get(`${CONFIGS}/1`)).body.config).toBe('{}')
    await page.getByRole('main').getByRole('link', { name: 'Import apps' }).click()
    await page.getByRole('dialog', { name: 'Discard unsaved changes?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Mapping').inputValue()).toBe('{ "a": ')
  })

  it('ask for what depends on other settings only when it does', async () => {
    const { api, page } = await startWeb()
    const config = [
      { key: 'mode', name: 'Mode', type: 'choice', choices: ['all', 'new'], default: 'all' },
      { key: 'since', name: 'Since', type: 'string', required_if: [['mode', 'new']] },
      { key: 'extra', name: 'Extra', type: 'string', visible_if: [['mode', 'new']] },
    ]
    await addApp(api, 'export const jobs = {}', { config })
    await page.goto(`${APPS}/1`)
    await page.getByLabel('Since').waitFor()
    expect(await page.getByLabel('Extra').count()).toBe(0)

    await page.getByRole('combobox', { name: 'Mode' }).click()
    await page.getByRole('option', { name: 'new' }).click()
    await page.getByLabel('Extra').waitFor()
    await page.getByRole('button', { name: 'Save settings' }).click()

    await page.getByText('Required.').waitFor()
    expect((await api.get(`${CONFIGS}/1`)).body.config).toBe('{}')
    await page.getByLabel('Since').fill('2026-01-01')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved.').waitFor()
    expect(JSON.parse((await api.get(`${CONFIGS}/1`)).body.config)).toEqual({
      mode: 'new',
      since: '2026-01-01',
      extra: '',
    })
  })

  it('never show a secret, keep it when another setting changes, and show texts as text', async () => {
    const web = await startWeb()
    const { api, page } = web
    startTestWorker(api)
    const config = [
      {
        markdown:
          'Read **this** <script>window.hacked = 1</script> [x](javascript:window.hacked=1)',
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
    const answers: string[] = []
    page.on('response', async (response) => {
      if (response.url().includes('/api/') && !response.url().endsWith('/live')) {
        answers.push(await response.text().catch(() => ''))
      }
    })

    await page.goto(`${APPS}/1`)
    await page.getByPlaceholder('Leave empty to keep the current value').waitFor()
    await page.getByText('<script>').waitFor()
    await page.getByLabel('Shop').fill('<b>corner</b>')
    await page.getByRole('button', { name: 'Save and run' }).click()

    await page.getByRole('tabpanel').getByText('Succeeded').waitFor()
    expect(await page.content()).not.toContain('hunter2')
    expect(answers.join()).not.toContain('hunter2')
    expect(answers.join()).toContain('corner')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expectNoProblems(web)
  })

  it('run a job with its own form', async () => {
    const { api, page } = await startWeb()
    startTestWorker(api)
    await api.post(CONFIGS, { plugin: DEMO, enabled: true, name: 'Demo' })
    await page.goto(`${APPS}/1?tab=jobs`)

    const form = page.getByRole('form', { name: 'Generate events' }) // the settings have such a field too
    await form.getByLabel('How many events').fill('500')
    await form.getByRole('button', { name: 'Run job', exact: true }).click()

    await page.getByRole('tab', { name: 'Runs', selected: true }).waitFor()
    await page.getByRole('tabpanel').getByText('Succeeded').waitFor()
    await page.getByText('500 events', { exact: true }).waitFor()
    expect((await api.get(`${CONFIGS}/1/runs`)).body.results[0].payload).toEqual({ events: 500 })
  })

  it('show progress and log lines as they come, and cancel a run', async () => {
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
  })

  it('say why an app failed, wherever it is seen', async () => {
    const { api, page } = await startWeb()
    startTestWorker(api)
    await addApp(api, `export const jobs = { work() { throw new Error('No such shop') } }`)
    await page.goto(APPS)

    await page.getByRole('button', { name: 'Run Mine now' }).click()

    await page.getByText('Failed', { exact: true }).waitFor()
    await page.getByText('No such shop').first().waitFor()
    await page.getByRole('link', { name: 'Mine' }).click()
    await page.getByRole('alert').getByText('No such shop').waitFor()
    await page.getByRole('tab', { name: 'Health' }).click()
    await page.getByText('0%', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByRole('button', { name: 'Retry run' }).click()
    await until(async () => (await api.get(`${CONFIGS}/1/runs`)).body.count === 2)
    await page.getByText('retry', { exact: true }).waitFor()
  })

  it('are put into another order by keyboard, and back when the server refuses', async () => {
    const { api, page } = await startWeb()
    for (const name of ['One', 'Two', 'Three']) await api.post(CONFIGS, { plugin: CSV, name })
    await page.goto(APPS)
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
    // no answer: it is put back at once, not when the list happens to be read again
    await page.route('**/pipeline_import_apps_configs?*', () => undefined)
    await moveUp('Two')
    await page.getByText('Something went wrong').waitFor()
    await until(async () => (await namesOf(page)).join() === 'One,Three,Two')
  })

  it('rename an app, move it to the trash, and restore it', async () => {
    const { api, page } = await startWeb()
    await api.post(CONFIGS, { plugin: CSV, name: 'Old' })
    await page.goto(`${APPS}/1`)

    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Name', { exact: true }).fill('New name')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New name', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Move to trash' }).click()

    await page.getByText('No import apps yet').waitFor()
    await page.getByRole('button', { name: 'Trash (1)' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('link', { name: 'New name' }).waitFor()
    expect((await api.get(`${CONFIGS}/1`)).body).toMatchObject({ name: 'New name', deleted: false })
  })
})

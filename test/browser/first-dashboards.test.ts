import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { serveFake } from '../apps/serve-fake.ts'
import { SERVICES } from '../apps/services.ts'
import { startRuntime } from '../runtime/apps.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { expectNoProblems, startWeb } from './browser.ts'
import { tileOf } from './dashboard.ts'

const HOSTS: Readonly<Record<string, string>> = {
  stripe: 'api.stripe.com',
  github: 'api.github.com',
  'google-sheets': 'docs.google.com',
  'hacker-news': 'hn.algolia.com',
}

/** An empty server whose apps reach fakes of the services. */
async function start() {
  const hostMap: Record<string, string> = {}
  for (const { folder, respond, key, refused } of SERVICES) {
    const host = HOSTS[folder]
    if (host === undefined) continue
    const server = await serveFake(
      (url, headers, body) =>
        key !== undefined && headers.authorization !== key ? refused : respond(url, headers, body),
      `https://${host}`,
    )
    hostMap[host] = server.origin
  }
  const web = await startWeb({ permissions: ['clipboard-read', 'clipboard-write'] })
  startTestWorker(web.api, { runtime: startRuntime({ hostMap }) })
  return web
}

/** Counts the clicks and entries of a user. */
function createUser(page: Page) {
  const counts = { clicks: 0, entries: 0 }
  return {
    counts,
    click: (role: 'button' | 'link' | 'tab' | 'switch' | 'menuitem', name: string | RegExp) => {
      counts.clicks += 1
      return page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click({ force: role === 'switch' })
    },
    enter: (label: string, text: string) => {
      counts.entries += 1
      // a required field has a star
      return page.getByLabel(new RegExp(`^${label}( \\*)?$`)).fill(text)
    },
  }
}

type User = ReturnType<typeof createUser>

/** Waits for a text in a tile, which shows its result once it is in sight. */
async function seeIn(page: Page, tile: string, text: string): Promise<void> {
  await tileOf(page, tile).scrollIntoViewIfNeeded()
  await tileOf(page, tile).getByText(text).first().waitFor()
}

/** Adds an app, enters its settings, runs it and opens its dashboard. */
async function importInto(
  { page, user }: { readonly page: Page; readonly user: User },
  app: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await user.click('link', 'Import apps')
  await user.click('link', 'Add import app')
  await user.click('button', `Add to project: ${app}`)
  for (const [label, text] of Object.entries(settings)) await user.enter(label, text)
  await user.click('button', 'Save, enable and run')
  await page.getByRole('tabpanel').getByText('Succeeded').waitFor()
  await user.click('button', 'Create dashboard')
  await page.waitForURL('**/dashboards/*')
}

it('shows public data from an empty server by one button', async () => {
  const web = await start()
  const { page } = web
  await page.goto('/')
  const form = page.getByRole('form', { name: 'Hacker News' })
  await form.waitFor()
  await form.getByLabel('Word or phrase').fill('hedgerow')

  await form.getByRole('button', { name: 'Show dashboard' }).click()

  await page.waitForURL('**/dashboards/*')
  await seeIn(page, 'Best stories', 'About hedgerows 3')
  expectNoProblems(web)
})

it('leads from an empty server to dashboards of Stripe, GitHub, a sheet and a webhook', {
  timeout: 240_000,
}, async () => {
  const web = await start()
  const { page } = web
  const user = createUser(page)
  await page.goto('/')
  await page.getByText('Waiting for your first event').waitFor()

  await importInto({ page, user }, 'Stripe', { 'Restricted key': 'rk_test_123' })
  await page.getByRole('heading', { name: 'Stripe' }).waitFor()
  await importInto({ page, user }, 'GitHub', {
    Repository: 'acme/tool',
    'Access token': 'github_pat_1',
  })
  await seeIn(page, 'Newest issues', 'Issue 4')
  await importInto({ page, user }, 'Google Sheets', {
    Link: 'https://docs.google.com/spreadsheets/d/sheet-1/edit#gid=7',
  })
  await seeIn(page, 'Newest rows', 'a@example.com')

  await user.click('link', 'Import apps')
  await user.click('link', 'Add import app')
  await user.click('button', 'Add to project: Webhook')
  await user.click('switch', 'Enable Webhook')
  await user.click('tab', 'Requests')
  await user.click('button', 'Copy address')
  const address = await page.evaluate<string>('navigator.clipboard.readText()')
  await fetch(address, { method: 'POST', body: '{"email": "ada@example.com"}' })
  await page.getByRole('list', { name: 'Requests' }).getByText('Handled').waitFor()

  await user.click('link', 'Import apps')
  await user.click('button', 'Open dashboard: Stripe')
  await page.getByRole('heading', { name: 'Stripe' }).waitFor()
  // a step that is added to the way is a step that everyone takes
  expect(user.counts).toEqual({ clicks: 23, entries: 4 })
  expectNoProblems(web)
})

import { expect, it } from 'vitest'
import { DASHBOARDS } from '../support/app/app.ts'
import { startAlertApp } from '../support/data/alerts.ts'
import { cohortOf, createCohort } from '../support/data/cohorts.ts'
import { expectAccessible, expectOpenedAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { openBrowser, openWeb, startWeb } from './browser.ts'
import { createImportApps, openTab, TABS, waitUntilLoaded } from './import-apps.ts'

it(
  'keeps pages outside of the shell accessible',
  async () => {
    const { page } = await openWeb({ bypassCSP: true, as: null })
    const pages = {
      '/sign-in?problem=unknown_email': 'Sign in',
      '/sign-in?step=code': 'Enter your code',
      '/set-up#token=x': 'Welcome to Hedgerow',
      '/set-up': 'Set up Hedgerow',
      '/invite/nothing': 'Invitation no longer valid',
      '/no-project': 'No project yet',
      '/reset-password#token=x': 'Reset password',
    }

    for (const [path, name] of Object.entries(pages)) {
      await page.goto('about:blank') // another fragment alone would not load the page
      await page.goto(path)
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await expectAccessible(page)
    }
    await page.getByRole('textbox', { name: 'Password' }).fill('too short')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Use at least 10 characters.', { exact: true }).waitFor()
    await expectAccessible(page)
  },
  MANY_CHECKS_MS,
)

it(
  'keeps settings and their dialogs accessible',
  async () => {
    const { page, api } = await openWeb({ bypassCSP: true })
    await api.post('/api/organizations/@current/invites', { level: 1 })
    const sections = {
      project: ['Delete project…'],
      members: ['Invite member', 'Leave organization…'],
      projects: ['Create project'],
      account: ['Sign out everywhere…', 'Set up second factor…'],
      backups: [],
      keys: ['Create API key'],
    }

    for (const [section, buttons] of Object.entries(sections)) {
      await page.goto(`/project/${api.projectId}/settings/${section}`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await waitUntilLoaded(page)
      await expectAccessible(page)
      for (const name of buttons) {
        await page.getByRole('button', { name, exact: true }).first().click()
        await page.getByRole('dialog').waitFor()
        await expectOpenedAccessible(page)
        if (section === 'keys') break
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
    }
    await page.getByLabel('Name').fill('Nightly report')
    await page.getByRole('button', { name: 'Create key' }).click()
    expect(await page.getByTestId('shown-once').textContent()).toMatch(/^phx_/)
    await expectOpenedAccessible(page)
  },
  MANY_CHECKS_MS,
)

it(
  'keeps import apps accessible',
  async () => {
    const { api, page } = await startWeb({ bypassCSP: true })
    await createImportApps(api)

    for (const path of ['', '/gallery', '/source', '/1']) {
      await page.goto(`/project/1/apps${path}`)
      await waitUntilLoaded(page)
      await expectAccessible(page)
    }
    for (const tab of TABS) {
      await openTab(page, tab)
      await expectAccessible(page)
    }
  },
  MANY_CHECKS_MS,
)

it(
  'keeps every way to connect accessible',
  async () => {
    const { api, page } = await openWeb({ bypassCSP: true })
    const { body } = await api.get('')
    await page.goto(`/project/${api.projectId}/connect`)
    await page.getByText('Waiting for your first event').waitFor()

    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await waitUntilLoaded(page)
      await expectAccessible(page)
    }
    await api.post('/capture', { api_key: body.api_token, event: 'x', distinct_id: 'ada' })
    await page.getByRole('img', { name: 'Events per minute' }).waitFor()
    await expectAccessible(page)
  },
  MANY_CHECKS_MS,
)

it(
  'keeps events, activity, alerts and subscriptions accessible',
  async () => {
    const api = await startAlertApp()
    const { page } = await openBrowser(api, { bypassCSP: true })
    await page.goto('/project/1/events')
    await page.getByText('Waiting for the first event').waitFor()
    await expectAccessible(page)
    const { body } = await api.get('')
    const batch = [{ event: 'signed up', distinct_id: 'ada', properties: { plan: 'pro' } }]
    await api.post('/batch', { api_key: body.api_token, batch })
    await page.getByRole('button', { name: 'signed up' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'signed up' }).click()
    await page.getByRole('dialog').getByText('plan').waitFor()
    await expectOpenedAccessible(page)

    const dashboard = await api.post(DASHBOARDS, { name: 'Growth' })
    await api.patch(`${DASHBOARDS}/${dashboard.body.id}`, { description: 'x', tags: ['weekly'] })
    await page.goto('/project/1/activity')
    await page.getByRole('button', { name: '2 changes' }).click()
    await expectAccessible(page)

    await api.createAlert()
    await page.goto(`/project/1/insights/${api.insight.short_id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Alerts and subscriptions' }).click()
    await page.getByText('Value above 2').waitFor()
    await expectOpenedAccessible(page)
    for (const name of ['Create alert', 'Create subscription']) {
      await page.getByRole('button', { name }).click()
      const form = page.getByRole('dialog', { name })
      await form.waitFor()
      await expectOpenedAccessible(page)
      await form.getByRole('button', { name: 'Close' }).click()
      await form.waitFor({ state: 'detached' })
    }
  },
  MANY_CHECKS_MS,
)

it(
  'keeps cohorts, alerts, the command palette, missing pages and documentation accessible',
  async () => {
    const { api, page } = await openWeb({ bypassCSP: true })
    const project = `/project/${api.projectId}`
    const cohort = await createCohort(api, {
      name: 'Customers',
      ...cohortOf({ type: 'person', key: 'plan', value: 'pro', operator: 'exact' }),
    })

    const pages = {
      [`${project}/cohorts`]: 'Cohorts',
      [`${project}/cohorts/${cohort.id}`]: 'Customers',
      [`${project}/alerts`]: 'Alerts',
      [`${project}/data`]: 'Data management',
      [`${project}/person?distinct_id=nobody`]: 'Person',
      [`${project}/nothing`]: 'Page not found',
      '/docs': 'Hedgerow',
      '/docs/queries': 'Queries',
      '/docs/search?q=alert': 'results for',
    }
    for (const [path, name] of Object.entries(pages)) {
      await page.goto(path)
      await page.getByRole('heading', { name }).first().waitFor()
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      await expectAccessible(page)
    }
    await page.goto(`${project}/dashboards`)
    await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await expectOpenedAccessible(page)
  },
  MANY_CHECKS_MS,
)

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { COUNT_ORDERS } from '../alerts.ts'
import { PROJECT } from '../app.ts'
import { createInsight } from '../insights.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'

const HOSTILE = '<img src=x onerror="document.title=1">'

async function openSection(page: Page, section: string, heading: string): Promise<void> {
  await page.goto(`/project/1/settings/${section}`)
  await page.getByRole('heading', { name: heading, level: 2, exact: true }).waitFor()
}

const shownOnce = async (page: Page): Promise<string> =>
  (await page.getByTestId('shown-once').textContent()) ?? ''

describe('settings', () => {
  it('make a key that works, and revoke it', async () => {
    const web = await startWeb()
    const { page, api } = web
    await openSection(page, 'keys', 'Your API keys')

    await page.getByRole('button', { name: 'Create API key' }).first().click()
    await page.getByLabel('Name').fill('Nightly report')
    await page.getByText('Read dashboards', { exact: true }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    const client = api.withKey(await shownOnce(page))

    expect((await client.get('dashboards')).status).toBe(200)
    expect((await client.post('dashboards', { name: 'x' })).status).toBe(403)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Read dashboards, insights').waitFor()
    await page.getByRole('button', { name: 'Actions for Nightly report' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click()
    await page.getByText('Nightly report', { exact: true }).waitFor({ state: 'detached' })
    expect((await client.get('dashboards')).status).toBe(401)
    expectNoProblems(web)
  })

  it('invite somebody, who joins in a browser of their own, and change their role', async () => {
    const web = await startWeb()
    const { page, api } = web
    await openSection(page, 'members', 'Members')

    await page.getByRole('button', { name: 'Invite member', exact: true }).click()
    await page.getByLabel('E-mail').fill('ann@example.com')
    await page.getByRole('button', { name: 'Create invitation' }).click()
    const link = await shownOnce(page)
    await page.getByRole('button', { name: 'Done' }).click()

    const theirs = await openBrowser(api, { as: null })
    await theirs.page.goto(link)
    await theirs.page.getByLabel('Your name').fill('Ann')
    await theirs.page.getByRole('textbox', { name: 'Password' }).fill('four words are long')
    await theirs.page.getByRole('button', { name: 'Join as member' }).click()
    await theirs.page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()

    await openSection(page, 'members', 'Members')
    await page.getByRole('combobox', { name: 'Role for Ann' }).click()
    await page.getByRole('option', { name: 'Admin' }).click()
    await page.getByRole('button', { name: 'Change role' }).click()
    await expect
      .poll(async () => (await api.get('/api/organizations/@current/members?search=ann')).body)
      .toMatchObject({ results: [{ level: 8 }] })
    expectNoProblems(web)
    expectNoProblems(theirs)
  })

  it('let somebody leave, but not the last owner', async () => {
    const { page, api } = await startWeb()
    const theirs = await openBrowser(api, { as: await api.as({}) })

    await openSection(theirs.page, 'members', 'Members')
    await theirs.page.getByRole('button', { name: 'Leave organization…' }).click()
    await theirs.page.getByRole('button', { name: 'Leave organization', exact: true }).click()
    await theirs.page.getByRole('button', { name: 'Sign in' }).waitFor()

    expect((await api.get('/api/organizations/@current/members')).body.count).toBe(1)
    await openSection(page, 'members', 'Members')
    await page.getByRole('button', { name: 'Leave organization…' }).click()
    await page.getByRole('button', { name: 'Leave organization', exact: true }).click()
    await page.getByText('You are the last owner.').waitFor()
    expectNoProblems(theirs)
  })

  it('change the project, and show it where it is named', async () => {
    const web = await startWeb()
    const { page, api } = web
    await openSection(page, 'project', 'General')

    await page.getByLabel('Name').fill(HOSTILE)
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin')
    await page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await page.getByText('Monday').click()
    await page.getByRole('button', { name: 'Save project', exact: true }).click()
    await page.getByRole('button', { name: HOSTILE }).waitFor()

    const { body } = await api.get(PROJECT)
    expect(body).toMatchObject({ name: HOSTILE, timezone: 'Europe/Berlin', week_start_day: 1 })
    expectNoProblems(web)
  })

  it('make a project, and delete it once its name is typed', async () => {
    const { page, api } = await startWeb()
    await openSection(page, 'projects', 'Projects')

    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByLabel('Name').fill('Shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL('**/project/2/settings/project')
    await page.getByRole('button', { name: 'Delete project…' }).click()
    const confirm = page.getByRole('button', { name: 'Delete project', exact: true })
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel(/Type the project name/).fill('Shop')
    await confirm.click()

    await page.waitForURL('**/project/1/dashboards')
    expect((await api.get('/api/projects')).body.count).toBe(1)
  })

  it('watch an insight, and say what the server refuses at its field', async () => {
    const { page, api } = await startWeb()
    await createInsight(api, { name: 'Orders', query: COUNT_ORDERS })
    await openSection(page, 'alerts', 'Alerts')

    await page.getByRole('button', { name: 'Create alert' }).first().click()
    await page.getByRole('combobox', { name: 'Insight' }).click()
    await page.getByRole('option', { name: 'Orders' }).click()
    await page.getByLabel('More than').fill('10')
    await page.getByLabel('URL').fill('http://127.0.0.1/hook')
    await page.getByRole('dialog').getByRole('button', { name: 'Create alert' }).click()
    await page.getByText('This is not a public address').waitFor()
    await page.getByLabel('URL').fill('https://example.com/hook')
    await page.getByRole('dialog').getByRole('button', { name: 'Create alert' }).click()

    expect(await shownOnce(page)).toMatch(/^\w+/)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Value above 10').waitFor()
    await page.getByRole('button', { name: 'Actions for Orders' }).click()
    await page.getByRole('menuitem', { name: 'Send test' }).click()
    await page.getByText('Test to https://example.com/hook').waitFor()
  })

  it('show a member what they may not change', async () => {
    const web = await startWeb()
    const member = await web.api.as({})
    const { page } = await openBrowser(web.api, { as: member })

    await openSection(page, 'members', 'Members')

    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    expect(await page.getByRole('combobox', { name: 'Role for Owner' }).isDisabled()).toBe(true)
    await openSection(page, 'project', 'General')
    expect(await page.getByLabel('Name').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Delete project…' }).count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)('are accessible in the %s', async (colorScheme) => {
    const { page, api } = await startWeb({ colorScheme, bypassCSP: true })
    await api.post('/api/organizations/@current/invites', { level: 1 })
    const sections = {
      ...{ project: 'General', members: 'Members', projects: 'Projects' },
      ...{ keys: 'Your API keys', account: 'Profile', alerts: 'Alerts' },
    }

    for (const [section, heading] of Object.entries(sections)) {
      await openSection(page, section, heading)
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      await expectAccessible(page)
    }
    await openSection(page, 'keys', 'Your API keys')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
    await expectAccessible(page)
  })
})

import { expect, it } from 'vitest'
import { expectNoProblems, startWeb } from './browser.ts'
import { openSection, shownOnce } from './settings.ts'

const HOSTILE = '<img src=x onerror="document.title=1">'

it('creates an API key that works, and revokes it', async () => {
  const web = await startWeb() // other tests have created keys of the same user
  const { page, api } = web
  await openSection(web, 'keys', 'Your API keys')

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

it('creates a project, renames it, and deletes it once its name is typed', async () => {
  const web = await startWeb()
  const { page, api } = web
  await openSection(web, 'projects', 'Projects')

  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByLabel('Name').fill('Shop')
  await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL('**/project/2/settings/project')
  await page.getByLabel('Name').fill(HOSTILE)
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin')
  await page.getByRole('option', { name: 'Europe/Berlin' }).click()
  await page.getByRole('button', { name: 'Save project' }).click()
  await page.getByRole('button', { name: HOSTILE }).waitFor()
  const { body } = await api.get('/api/projects/2')
  expect(body).toMatchObject({ name: HOSTILE, timezone: 'Europe/Berlin' })
  await page.getByRole('button', { name: 'Delete project…' }).click()
  const confirm = page.getByRole('button', { name: 'Delete project', exact: true })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel(/Type the project name/).fill(HOSTILE)
  await confirm.click()

  await page.waitForURL('**/project/1/connect')
  expect((await api.get('/api/projects')).body.count).toBe(1)
  expectNoProblems(web)
})

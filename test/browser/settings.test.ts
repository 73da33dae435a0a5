import { expect, it } from 'vitest'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'
import { openSection, shownOnce } from './settings.ts'

it('invites a member, who joins in another browser, and changes their role', async () => {
  const web = await startWeb()
  const { page, api } = web
  await openSection(web, 'members', 'Members')

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
  await theirs.page.getByRole('heading', { name: 'Connect your data', level: 1 }).waitFor()

  await openSection(web, 'members', 'Members')
  await page.getByRole('combobox', { name: 'Role for Ann' }).click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await page.getByRole('button', { name: 'Change role' }).click()
  await expect
    .poll(async () => (await api.get('/api/organizations/@current/members?search=ann')).body)
    .toMatchObject({ results: [{ level: 8 }] })
  expectNoProblems(web)
  expectNoProblems(theirs)
})

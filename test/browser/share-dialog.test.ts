import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createDashboard, pathOf } from '../dashboards.ts'
import { until } from '../until.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, type OpenOptions, openBrowser, startWeb } from './browser.ts'

/** A dashboard, and its share dialogue open. */
async function openDialog(options?: OpenOptions) {
  const web = await startWeb(options)
  const { id } = await createDashboard(web.api, { name: 'Sales' })
  return { ...web, id, dialog: await openShare(web.page, id) }
}

async function openShare(page: Page, id: number) {
  await page.goto(`/project/1/dashboards/${id}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByText('Who can edit').waitFor()
  return dialog
}

const PUBLIC = 'Anyone with the link can view'

describe('the share dialogue', () => {
  it('makes a link that works for everybody, and stops it again', async () => {
    const { api, dialog, ...web } = await openDialog()
    const stranger = await openBrowser(api, { as: null })

    await dialog.getByRole('switch', { name: PUBLIC }).click()

    const link = await dialog.getByLabel('Public link').getByRole('textbox').inputValue()
    await stranger.page.goto(link)
    await stranger.page.getByRole('heading', { name: 'Sales' }).waitFor()
    await dialog.getByRole('switch', { name: PUBLIC }).click()
    await dialog.getByRole('tab', { name: 'Embed' }).waitFor({ state: 'detached' })
    await stranger.page.reload()
    await stranger.page.getByRole('heading', { name: 'Nothing is shared here' }).waitFor()
    expectNoProblems(web)
  })

  it('gives an embed code, a QR code and files', async () => {
    const { dialog } = await openDialog()
    await dialog.getByRole('switch', { name: PUBLIC }).click()

    await dialog.getByRole('tab', { name: 'Embed' }).click()
    await dialog.getByText('Dark', { exact: true }).click()
    await dialog.getByLabel('Show header').uncheck()

    const code = await dialog.getByLabel('Embed code').inputValue()
    expect(code).toMatch(/^<iframe src="http[^"]+\/embedded\/[\w-]+\?theme=dark&#38;noHeader=1" /)
    await dialog.getByRole('tab', { name: 'QR code' }).click()
    await dialog.getByRole('img', { name: 'QR code for the public link' }).waitFor()
    await dialog.getByRole('tab', { name: 'Files' }).click()
    await dialog.getByRole('link', { name: 'Document (PDF)' }).waitFor()
  })

  it('replaces the link once that is confirmed', async () => {
    const { page, dialog } = await openDialog()
    await dialog.getByRole('switch', { name: PUBLIC }).click()
    const field = dialog.getByLabel('Public link').getByRole('textbox')
    const before = await field.inputValue()

    await dialog.getByRole('button', { name: 'Replace link…' }).click()
    await page.getByText('works for five more minutes').waitFor()
    await page.getByRole('button', { name: 'Replace link' }).click()

    await until(async () => (await field.inputValue()) !== before)
    expect(await field.inputValue()).toMatch(/\/shared\/[\w-]{20,}$/)
  })

  it('lets only invited people edit', async () => {
    const { api, page, id } = await openDialog()
    const [guest, other] = [await api.as({}), await api.as({})]
    const { email } = await api.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', guest.userId)
      .executeTakeFirstOrThrow()
    const dialog = await openShare(page, id)

    await dialog.getByRole('radio', { name: 'Only invited people' }).click()
    await dialog.getByRole('radio', { name: 'Only invited people', checked: true }).waitFor()
    await dialog.getByLabel('Invite a person').fill(email)
    await page.getByRole('option', { name: email }).click()
    await dialog.getByRole('button', { name: 'Invite' }).click()

    await dialog.getByText(`Invited · ${email}`).waitFor()
    await dialog.getByText('Created this dashboard').waitFor()
    expect((await guest.patch(pathOf(id), { name: 'By a guest' })).status).toBe(200)
    expect((await other.patch(pathOf(id), { name: 'By another' })).status).toBe(403)

    await dialog.getByRole('button', { name: /^Remove / }).click()
    await dialog.getByText(`Invited · ${email}`).waitFor({ state: 'detached' })
    expect((await guest.patch(pathOf(id), { name: 'Again' })).status).toBe(403)
  })

  it('adds somebody, who then edits the dashboard as themselves', async () => {
    const { api, page, dialog, id } = await openDialog()
    const colleague = await api.as({ level: 1 })
    const theirs = await openBrowser(api, { as: colleague })
    await dialog.getByLabel('Only invited people').click()
    await until(async () => (await api.get(pathOf(id))).body.restriction_level === 37)
    await theirs.page.goto(`/project/1/dashboards/${id}`)
    await theirs.page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor()
    expect(await theirs.page.getByRole('button', { name: 'Sales', exact: true }).count()).toBe(0)

    await api.post(`${pathOf(id)}/collaborators`, { user_uuid: colleague.uuid, level: 37 })
    await theirs.page.reload()
    await theirs.page.getByRole('button', { name: 'Sales', exact: true }).click()
    await theirs.page.getByLabel('Dashboard name').fill('Sales of the year')
    await theirs.page.keyboard.press('Enter')

    await until(async () => (await api.get(pathOf(id))).body.name === 'Sales of the year')
    await page
      .getByRole('heading', { name: 'Sales of the year', level: 1, includeHidden: true })
      .waitFor()
  })

  it('explains to who cannot edit why nothing can be changed', async () => {
    const { api } = await startWeb()
    const { id } = await createDashboard(api, { name: 'Sales', restriction_level: 37 })
    const viewer = await api.as({})
    const { page } = await openBrowser(api, { as: viewer })

    const dialog = await openShare(page, id)

    await dialog.getByText('You can look at this dashboard, but not change it').waitFor()
    expect(await dialog.getByRole('switch', { name: PUBLIC }).isDisabled()).toBe(true)
    expect(await dialog.getByRole('radio', { name: 'Everyone in the project' }).isDisabled()).toBe(
      true,
    )
    expect(await dialog.getByRole('button', { name: 'Invite' }).count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const { page, dialog } = await openDialog({ colorScheme, bypassCSP: true })
    await dialog.getByRole('switch', { name: PUBLIC }).click()

    await dialog.getByRole('tab', { name: 'Embed' }).click()
    await dialog.getByLabel('Embed code').waitFor()

    await expectAccessible(page)
  })
})

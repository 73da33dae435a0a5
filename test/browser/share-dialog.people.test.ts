import { describe, expect, it } from 'vitest'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { until } from '../support/until.ts'
import { openBrowser, openWeb } from './browser.ts'
import { openShare, pageOf } from './dashboard.ts'

describe('share dialog', () => {
  it('lets only invited people edit, as themselves', async () => {
    const { api, page } = await openWeb()
    const { id } = await createDashboard(api, { name: 'Sales' })
    const path = pageOf(api, id)
    const [guest, other] = [await api.as({ level: 1 }), await api.as({})]
    const { email } = await api.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', guest.userId)
      .executeTakeFirstOrThrow()
    const theirs = await openBrowser(api, { as: guest })
    const dialog = await openShare(page, path)

    await dialog.getByRole('radio', { name: 'Only invited people' }).click()
    await dialog.getByRole('radio', { name: 'Only invited people', checked: true }).waitFor()
    await until(async () => (await api.get(pathOf(id))).body.restriction_level === 37)
    await theirs.page.goto(path)
    await theirs.page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor()
    expect(await theirs.page.getByRole('button', { name: 'Sales', exact: true }).count()).toBe(0)

    await dialog.getByLabel('Invite a person').fill(email)
    await page.getByRole('option', { name: email }).click()
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByText(`Invited · ${email}`).waitFor()
    await dialog.getByText('Created this dashboard').waitFor()
    expect((await other.patch(pathOf(id), { name: 'By another' })).status).toBe(403)
    await theirs.page.reload()
    await theirs.page.getByRole('button', { name: 'Sales', exact: true }).click()
    await theirs.page.getByLabel('Dashboard name').fill('Sales of the year')
    await theirs.page.keyboard.press('Enter')
    await until(async () => (await api.get(pathOf(id))).body.name === 'Sales of the year')
    await page
      .getByRole('heading', { name: 'Sales of the year', level: 1, includeHidden: true })
      .waitFor()

    await dialog.getByRole('button', { name: /^Remove / }).click()
    await dialog.getByText(`Invited · ${email}`).waitFor({ state: 'detached' })
    expect((await guest.patch(pathOf(id), { name: 'Again' })).status).toBe(403)
  })
})

import { describe, expect, it } from 'vitest'
import { OWNER } from '../owner.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'

const ACCOUNT = '/project/1/settings/account'
const NEW_PASSWORD = 'four words are long'

/** The owner's account in one browser, and whether another one of theirs is still let in. */
async function openAccount() {
  const web = await startWeb()
  const elsewhere = await web.api.withSession()
  await web.page.goto(ACCOUNT)
  await web.page.getByRole('heading', { name: 'Sessions' }).waitFor()
  const isLetIn = async () => (await elsewhere.get('/api/users/@me')).status === 200
  expect(await isLetIn()).toBe(true)
  return { web, page: web.page, isLetIn }
}

describe("somebody's own account", () => {
  it('takes a new password, with which alone one signs in, and ends what is signed in elsewhere', async () => {
    const { web, page, isLetIn } = await openAccount()

    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The current password is wrong.').waitFor()
    expect(await isLetIn()).toBe(true)
    await page.getByLabel('Current password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()

    expect(await isLetIn()).toBe(false)
    const theirs = await openBrowser(web.api, { as: null })
    await theirs.page.goto(`/sign-in?next=${ACCOUNT}`)
    await theirs.page.getByLabel('E-mail').fill(OWNER.email)
    await theirs.page.getByRole('textbox', { name: 'Password' }).fill(NEW_PASSWORD)
    await theirs.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await theirs.page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expectNoProblems(web)
  })

  it('ends one session, and keeps the own', async () => {
    const { page, isLetIn } = await openAccount()
    const others = page.getByRole('button', { name: /^Sign out .* on / })

    await others.first().click()
    await others.waitFor({ state: 'detached' })

    expect(await isLetIn()).toBe(false)
    await page.reload()
    await page.getByText('current').waitFor()
  })

  it('signs out everywhere, once that is confirmed', async () => {
    const { page, isLetIn } = await openAccount()

    await page.getByRole('button', { name: 'Sign out everywhere…' }).click()
    expect(await isLetIn()).toBe(true)
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    await page.waitForURL('**/sign-in')

    expect(await isLetIn()).toBe(false)
  })

  it('does not lead back whoever signs out, whatever is refused meanwhile', async () => {
    const { page } = await openAccount()
    const leaving = Promise.withResolvers<void>()
    const refused = Promise.withResolvers<void>()
    await page.route('**/api/sign_out', async (route) => {
      const response = await route.fetch()
      await page.getByRole('link', { name: 'Dashboards' }).click()
      await route.fulfill({ response })
    })
    await page.route(/\/dashboards\?/, async (route) => {
      const response = await route.fetch()
      expect(response.status()).toBe(401)
      await leaving.promise
      await route.fulfill({ response })
      refused.resolve()
    })
    await page.route('**/sign-in', async (route) => {
      leaving.resolve()
      await refused.promise
      await route.continue()
    })

    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('asks to sign in again when a change finds the session ended', async () => {
    const { web, page } = await openAccount()
    await page.getByLabel('Current password').fill(OWNER.password)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await web.api.post('/api/sign_out/everywhere')

    await page.getByRole('button', { name: 'Change password' }).click()

    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('next')).toBe(ACCOUNT)
  })
})

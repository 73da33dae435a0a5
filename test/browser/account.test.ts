import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { insertOneTimeToken } from '#server/features/accounts/sessions/one-time-tokens-store.ts'
import { startApp } from '../support/app/app.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { OWNER } from '../support/app/owner.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'

const JANE = { name: 'Jane', email: 'jane@example.com', password: 'three green hedges' }
const ACCOUNT = '/project/1/settings/account'

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

it('sets up the owner and loads demo data into a dashboard', async () => {
  const web = await startWeb({ as: null })
  const { api, page } = web
  startTestWorker(api)
  const token = await insertOneTimeToken(api.db, 'set_up', 1)
  await page.goto(`/set-up#token=${token}`)
  await page.getByLabel('Your name').fill(JANE.name)
  await page.getByLabel('E-mail').fill(JANE.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(JANE.password)
  await page.getByRole('button', { name: 'Create account' }).click()

  await page.getByRole('heading', { name: 'Load demo data?' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Load demo data' }).click()

  // attached, not visible: a fast import ends while the bar has no width yet
  await page.getByRole('progressbar', { name: 'Import progress' }).waitFor({ state: 'attached' })
  await page.waitForURL('**/project/1/dashboards/1')
  // the dashboard opens when the import has ended and its results are computed
  expect(await api.services.events.count(1)).toBe(14_000)
  const { body: filled } = await api.get('/api/environments/1/dashboards/1?refresh=force_cache')
  expect(filled.tiles[0].insight.result[0].aggregated_value).toBeGreaterThan(500)
  const { body: me } = await api.get('/api/users/@me')
  expect(me).toMatchObject({ first_name: JANE.name, email: JANE.email })
  expectNoProblems(web)
})

it('mails a link to a user who forgot the password', async () => {
  const mail = await startMailServer()
  const api = await startApp(undefined, {
    HEDGEROW_SMTP_URL: mail.url,
    HEDGEROW_MAIL_FROM: 'hedgerow@example.com',
    HEDGEROW_URL: 'https://hedgerow.example',
  })
  const web = { api, ...(await openBrowser(api, { as: null })) }
  const { page } = web
  await page.goto('/sign-in')

  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByRole('button', { name: 'Send link' }).click()

  await page.getByText(/a link to reset it is on its way/).waitFor()
  const [{ source = '' } = {}] = await mail.waitFor(1)
  const [, token] = /#token=(?:3D)?(\w{43})/.exec(source.replace(/=\r\n/g, '')) ?? []
  await page.goto(`/reset-password#token=${token}`)
  await page.getByRole('textbox', { name: 'Password' }).fill(JANE.password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'Connect your data', level: 1 }).waitFor()
  expectNoProblems(web)
})

it('resets the password, signs out, and signs in to the requested page', async () => {
  const web = await startWeb({ as: null })
  const { api, page } = web
  const token = await insertOneTimeToken(api.db, 'reset_password', 1)
  await page.goto(`/reset-password#token=${token}`)
  await page.getByRole('textbox', { name: 'Password' }).fill(JANE.password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'Connect your data', level: 1 }).waitFor()
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name }) => name)).toEqual(['hedgerow_device']) // it grants no access

  await page.goto('/project/1/events?event=x')
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toBe('/project/1/events?event=x')
  await signIn(page, OWNER.password)
  await page.getByRole('alert').getByText('E-mail or password is wrong.').waitFor()
  await signIn(page, JANE.password)

  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  const { pathname, search } = new URL(page.url())
  expect(pathname + search).toBe('/project/1/events?event=x')
  expectNoProblems(web)
})

it('changes the password and ends other sessions', async () => {
  const web = await startWeb()
  const { api, page } = web
  const [laptop, phone] = [await api.withSession(), await api.withSession()]
  const isSignedIn = async (client: typeof laptop) =>
    (await client.get('/api/users/@me')).status === 200
  await page.goto(ACCOUNT)
  const others = page.getByRole('button', { name: 'Sign out Unknown browser' })
  await others.nth(1).waitFor()

  await others.first().click()
  await others.nth(1).waitFor({ state: 'detached' })
  expect([await isSignedIn(laptop), await isSignedIn(phone)].toSorted()).toEqual([false, true])
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill(JANE.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('The current password is wrong.').waitFor()
  await page.getByLabel('Current password').fill(OWNER.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  expect([await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([false, false])

  const elsewhere = await openBrowser(api, { as: null })
  await elsewhere.page.goto(`/sign-in?next=${ACCOUNT}`)
  await signIn(elsewhere.page, JANE.password)
  await elsewhere.page.getByRole('heading', { name: 'Sessions' }).waitFor()
  await page.getByRole('button', { name: 'Sign out everywhere…' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
  await page.waitForURL('**/sign-in')
  await elsewhere.page.reload()
  await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(new URL(elsewhere.page.url()).searchParams.get('next')).toBe(ACCOUNT)
  expectNoProblems(web)
})

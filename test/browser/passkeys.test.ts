import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { OWNER } from '../support/app/owner.ts'
import { expectOpenedAccessible } from './accessible.ts'
import { expectNoProblems, startWeb } from './browser.ts'

const ACCOUNT = '/project/1/settings/account'

/** A device that confirms everything at once. */
async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function enterPassword(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/sign-in?next=${ACCOUNT}`)
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

it('creates a passkey, signs in with it alone and after the password, and deletes it', async () => {
  const web = await startWeb({ as: null, bypassCSP: true })
  const { api, page } = web
  const origin = api.url.replace('127.0.0.1', 'localhost') // passkeys belong to names
  await addDevice(page)
  await enterPassword(page, origin)
  await page.getByText('No passkeys.').waitFor()

  await page.getByRole('button', { name: 'Create passkey…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Laptop')
  await expectOpenedAccessible(page)
  await dialog.getByLabel('Current password').fill('wrong')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await dialog.getByText('The current password is wrong.').waitFor()
  await dialog.getByLabel('Current password').fill(OWNER.password)
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByTestId('shown-once').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText(/never used/).waitFor()

  await page.context().clearCookies()
  await page.goto(`${origin}/sign-in?next=${ACCOUNT}`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
  await page.getByText(/created .* · last used/).waitFor()

  await page.context().clearCookies()
  await enterPassword(page, origin)
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: 'Delete Laptop' }).click()
  await dialog.getByLabel('Current password').fill(OWNER.password)
  await dialog.getByRole('button', { name: 'Delete passkey' }).click()
  await page.getByText('No passkeys.').waitFor()
  expect((await api.get('/api/users/@me/passkeys')).body.results).toEqual([])
  expectNoProblems(web)
})

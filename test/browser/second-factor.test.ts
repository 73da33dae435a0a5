import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { OWNER } from '../support/app/owner.ts'
import { codeOf, forgetUsedCodes, PASSWORD } from '../support/data/second-factors.ts'
import { expectAccessible, expectOpenedAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'

const ACCOUNT = '/project/1/settings/account'

async function signIn(page: Page): Promise<void> {
  await page.goto(`/sign-in?next=${ACCOUNT}`)
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
}

async function enter(page: Page, field: string, code: string): Promise<void> {
  await page.getByLabel(field).fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

it('sets up a second factor, signs in with it and with a recovery code, and removes it', async () => {
  const web = await startWeb()
  const { api, page } = web
  await page.goto(ACCOUNT)
  await page.getByRole('button', { name: 'Set up second factor…' }).click()
  await page.getByRole('dialog').getByLabel('Current password').fill(OWNER.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const picture = page.getByRole('img', { name: 'QR code for your authenticator app' })
  await picture.waitFor()
  const secret = ((await page.getByTestId('key').textContent()) ?? '').replaceAll(' ', '')
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText(/^The code is wrong/).waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const shown = page.getByTestId('shown-once')
  await shown.waitFor()
  const [recoveryCode = ''] = ((await shown.textContent()) ?? '').split('\n')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('10 recovery codes left.').waitFor()

  const theirs = await openBrowser(api, { as: null })
  await forgetUsedCodes(api.db, 1)
  await signIn(theirs.page)
  await enter(theirs.page, 'Code of your authenticator app', '000000')
  await theirs.page.getByText(/^The code is wrong/).waitFor()
  await enter(theirs.page, 'Code of your authenticator app', codeOf(secret))
  await theirs.page.getByRole('heading', { name: 'Second factor' }).waitFor()

  const phone = await openBrowser(api, { as: null })
  await signIn(phone.page)
  await phone.page.getByRole('button', { name: 'Use a recovery code' }).click()
  await enter(phone.page, 'Recovery code', recoveryCode)
  await phone.page.getByText('9 recovery codes left.').waitFor()

  await phone.page.getByRole('button', { name: 'Remove…' }).click()
  const dialog = phone.page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(OWNER.password)
  await forgetUsedCodes(api.db, 1)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Remove second factor' }).click()
  await phone.page.getByText('Second factor removed.').waitFor()
  await phone.page.getByRole('button', { name: 'Set up second factor…' }).waitFor()
  expect((await api.get('/api/users/@me/second_factor')).body.is_enabled).toBe(false)
  await theirs.page.reload()
  await theirs.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  for (const each of [web, theirs, phone]) expectNoProblems(each)
})

it('requires a second factor of a member, who sets it up and returns to the page', async () => {
  const web = await startWeb()
  const { api, page } = web
  const member = await api.as({ password: PASSWORD })
  const theirs = await openBrowser(api, { as: member })
  await page.goto('/project/1/settings/members')
  await page.getByLabel('Require a second factor').check()
  await page.getByRole('button', { name: 'Save rule' }).click()
  await page.getByText('Rule saved.').waitFor()
  await page
    .getByText(/· no second factor/)
    .first()
    .waitFor()

  await theirs.page.goto('/project/1/dashboards')
  await theirs.page.getByText(/^Your organization requires a second factor/).waitFor()
  await page.getByLabel('Grace period in days').fill('0')
  await page.getByRole('button', { name: 'Save rule' }).click()
  await page.waitForURL('**/second-factor?next=**')
  await theirs.page.goto('/project/1/events?event=x')
  await theirs.page.getByText(/requires a second factor. Set one up to continue/).waitFor()

  await theirs.page.getByRole('button', { name: 'Set up second factor…' }).click()
  await theirs.page.getByLabel('Current password').fill(PASSWORD)
  await theirs.page.getByRole('button', { name: 'Continue' }).click()
  const key = (await theirs.page.getByTestId('key').textContent()) ?? ''
  await theirs.page.getByRole('textbox', { name: 'Code' }).fill(codeOf(key.replaceAll(' ', '')))
  await theirs.page.getByRole('button', { name: 'Turn on' }).click()
  await theirs.page.getByRole('button', { name: 'Done' }).click()
  await theirs.page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  expect(new URL(theirs.page.url()).searchParams.get('event')).toBe('x')
  expectNoProblems(web)
  expectNoProblems(theirs)
})

it(
  'keeps the steps of the set-up accessible',
  async () => {
    const { page } = await startWeb({ bypassCSP: true })
    await page.goto(ACCOUNT)
    await page.getByRole('button', { name: 'Set up second factor…' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await expectOpenedAccessible(page)
    const secret = ((await page.getByTestId('key').textContent()) ?? '').replaceAll(' ', '')
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByTestId('shown-once').waitFor()
    await expectOpenedAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('10 recovery codes left.').waitFor()
    await expectAccessible(page)
  },
  MANY_CHECKS_MS,
)

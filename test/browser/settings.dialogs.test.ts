import { expect, it } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { startWeb } from './browser.ts'

/** Where each dialogue of the settings is opened, and by which button. */
const DIALOGS = [
  ['members', 'Invite member'],
  ['members', 'Leave organization…'],
  ['projects', 'Create project'],
  ['project', 'Delete project…'],
  ['keys', 'Create API key'],
  ['account', 'Sign out everywhere…'],
] as const

it.each(['light', 'dark'] as const)('dialogues are accessible in the %s', async (colorScheme) => {
  const { page } = await startWeb({ colorScheme, bypassCSP: true })

  for (const [section, button] of DIALOGS) {
    await page.goto(`/project/1/settings/${section}`)
    await page.getByRole('button', { name: button, exact: true }).first().click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
  }
  await page.goto('/project/1/settings/keys')
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByLabel('Name').fill('Nightly report')
  await page.getByRole('button', { name: 'Create key' }).click()
  expect(await page.getByTestId('shown-once').textContent()).toMatch(/^phx_/)
  await expectAccessible(page)
})

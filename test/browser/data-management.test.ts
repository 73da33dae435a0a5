import { expect, it } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { addEvents, newInsight } from './insights.ts'

it('describes, verifies and hides names, which pickers and the activity log then show', async () => {
  const web = await openWeb({ bypassCSP: true })
  const { api, page } = web
  await addEvents(api, ['$pageview', 'signed_up', 'noise', 'Page view'])
  await page.goto(`/project/${api.projectId}/data`)
  const row = (name: RegExp) =>
    page.getByRole('listitem').filter({ has: page.getByRole('button', { name }) })
  await row(/^Page view \(custom\)/).waitFor()
  await expectAccessible(page)

  await row(/^signed_up/)
    .getByRole('button')
    .click()
  const drawer = page.getByRole('dialog', { name: 'signed_up' })
  await drawer.getByRole('textbox', { name: 'Description' }).fill('A new account.')
  await drawer.getByRole('switch', { name: 'Verified' }).click()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await row(/^signed_up/)
    .getByText('A new account.')
    .waitFor()
  await row(/^signed_up/)
    .getByRole('img', { name: 'Verified' })
    .waitFor()
  await row(/^noise/)
    .getByRole('button')
    .click()
  await page.getByRole('switch', { name: 'Hidden' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await row(/^noise/)
    .getByText('Hidden')
    .waitFor()

  await page.goto(newInsight(api))
  await page.getByRole('combobox', { name: 'Event of series A' }).click()
  const options = page.getByRole('option')
  await options.getByText('A new account.').waitFor()
  expect(await options.evaluateAll((all) => all.map((each) => each.textContent))).toEqual([
    'All events',
    'signed_upA new account.',
    'Page view (custom) Page view',
    'Page view $pageviewA page was opened.',
  ])
  await page.goto(`/project/${api.projectId}/activity`)
  await page.getByText('verified').first().waitFor()
  expectNoProblems(web)
})

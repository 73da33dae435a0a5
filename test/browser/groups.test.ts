import { expect, it } from 'vitest'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'

it(
  'leads from the navigation to a group, its events, persons and properties, and from an event back',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    const { body } = await api.get('')
    const identify = { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'pro' } }
    const batch = [
      { event: '$groupidentify', distinct_id: 'ada', properties: identify },
      { event: 'paid', distinct_id: 'ada', properties: { $groups: { company: 'acme' } } },
      { event: 'left', distinct_id: 'bob', properties: { $groups: { company: 'globex' } } },
    ]
    await api.post('/batch', { api_key: body.api_token, batch })
    await page.goto(`/project/${api.projectId}/events`)

    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('cell', { name: 'pro' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'acme' }).click()
    await page.getByRole('heading', { name: 'acme', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'paid' }).waitFor()
    await expectAccessible(page)

    await page.getByRole('tab', { name: 'Persons' }).click()
    await page.getByRole('link', { name: 'ada' }).waitFor()
    await page.getByText('1 person', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Properties' }).click()
    await page.getByRole('button', { name: 'Delete plan' }).click()
    await page.getByText('No properties.').waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText(/plan/).first().waitFor()

    await page.goto(`/project/${api.projectId}/events`)
    await page.getByRole('button', { name: 'left' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'globex' }).click()
    await page.getByText('Known from events only').waitFor()
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

it('filters groups, and events, by a property of groups', async () => {
  const web = await openWeb()
  const { api, page } = web
  const { body } = await api.get('')
  const identify = ($group_key: string, plan: string) => ({
    event: '$groupidentify',
    distinct_id: $group_key,
    properties: { $group_type: 'company', $group_key, $group_set: { plan } },
  })
  const paid = (company: string) => ({
    ...{ event: 'paid', distinct_id: `someone-of-${company}` },
    properties: { $groups: { company } },
  })
  const batch = [identify('acme', 'pro'), identify('globex', 'free'), paid('acme'), paid('globex')]
  await api.post('/batch', { api_key: body.api_token, batch })
  const filterByPlan = async () => {
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('combobox', { name: 'Property', exact: true }).fill('plan')
    await page.getByRole('option', { name: 'plan', exact: true }).click()
    await page.getByRole('combobox', { name: 'Values' }).fill('pro')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Apply filter' }).click()
    await page.getByText('group plan is pro').waitFor()
  }

  await page.goto(`/project/${api.projectId}/groups`)
  await page.getByRole('link', { name: 'globex' }).waitFor()
  await filterByPlan()
  await page.getByRole('link', { name: 'globex' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('link', { name: 'acme' }).count()).toBe(1)
  await page.goto(`/project/${api.projectId}/events`)
  await page.getByRole('link', { name: 'someone-of-globex' }).waitFor()
  await filterByPlan()
  await page.getByRole('link', { name: 'someone-of-globex' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'someone-of-acme' }).waitFor()
  expectNoProblems(web)
})

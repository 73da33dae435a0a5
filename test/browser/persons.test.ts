import { expect, it } from 'vitest'
import { isFull } from '../support/vitest/effort.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'

const PHONE = '0190c2f0-aaaa-7bbb-8ccc-000000000001'

/** Creates a visitor who browses on a phone and signs in, and another who stays anonymous. */
async function openWithPersons() {
  const web = await openWeb({ bypassCSP: true })
  const { api } = web
  const { body } = await api.get('')
  const $set = { email: 'ada@example.com', plan: 'pro' }
  const batch = [
    { event: '$pageview', distinct_id: PHONE, properties: {} },
    { event: '$identify', distinct_id: 'ada', properties: { $anon_distinct_id: PHONE, $set } },
    { event: 'paid', distinct_id: 'ada', properties: { amount: 9 } },
    { event: '$pageview', distinct_id: 'visitor', properties: {} },
  ]
  await api.post('/batch', { api_key: body.api_token, batch })
  return web
}

it(
  'links from the list to a person, and from an event back to the person',
  async () => {
    const web = await openWithPersons()
    const { api, page } = web
    await page.goto(`/project/${api.projectId}/persons`)
    await page.getByText('2 persons').waitFor()
    await expectAccessible(page)

    await page.keyboard.press('/')
    await page.keyboard.type('ADA@')
    await page.getByText('1 person', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'ada@example.com' }).click()
    await page.getByRole('button', { name: 'Page view' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(4)
    if (isFull) await expectAccessible(page)

    await page.getByRole('tab', { name: 'Properties' }).click()
    await page.getByRole('button', { name: 'Edit plan' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Value' }).fill('team')
    if (isFull) await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('team', { exact: true }).waitFor()

    await page.getByRole('tab', { name: 'Distinct IDs (2)' }).click()
    await page.getByRole('button', { name: 'Split person…' }).click()
    await page.getByText(/The other distinct ID becomes a person of its own/).waitFor()
    if (isFull) await expectAccessible(page)
    await page.getByRole('button', { name: 'Split person', exact: true }).click()
    await page.getByRole('tab', { name: 'Distinct ID', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText('split person').waitFor()

    await page.goto(`/project/${api.projectId}/events`)
    await page.getByTitle(PHONE).getByRole('link').click()
    await page.getByRole('heading', { name: 'Visitor 000001', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Page view' }).waitFor()
    await page.getByRole('link', { name: 'Persons' }).last().click()
    await page.getByText('3 persons').waitFor()
    const { body } = await api.get('persons?search=ada@')
    expect(body.results).toMatchObject([{ distinct_ids: ['ada'], properties: { plan: 'team' } }])
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

import { expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'

it(
  'saves the filters of events under a name, shows them again and deletes them',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    const { body } = await api.get('')
    const batch = ['paid', 'opened'].map((event) => ({ event, distinct_id: 'ada' }))
    await api.post('/batch', { api_key: body.api_token, batch })
    const events = `/project/${api.projectId}/events`
    await page.goto(`${events}?event=paid&hours=24`)
    const views = page.getByRole('button', { name: /^Views/ })

    await views.click()
    await page.getByText('No saved views yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Payments today')
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.goto(events)
    await page.getByRole('button', { name: 'opened' }).first().waitFor()
    await views.click()
    await page.getByRole('menuitem', { name: 'Payments today' }).click()
    await page.waitForURL('**/events?event=paid&hours=24')
    await page.getByRole('button', { name: 'opened' }).first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Views: Payments today' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const renaming = page.getByRole('dialog', { name: 'Rename view' })
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Payments')
    await renaming.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: 'Views: Payments', exact: true }).waitFor()
    await page.goto(`${events}?event=opened`)
    await views.click()
    await page.getByRole('menuitem', { name: 'Replace' }).hover()
    await page.getByRole('menuitem', { name: 'Payments' }).last().click()
    await page.getByRole('button', { name: 'Views: Payments', exact: true }).click()
    expect((await api.get('saved_views')).body.results).toMatchObject([
      { name: 'Payments', filters: { event: 'opened' } },
    ])
    await page.getByRole('menuitem', { name: 'Delete “Payments”' }).click()

    await expect.poll(async () => (await api.get('saved_views')).body.count).toBe(0)
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

it(
  'saves filters of a dashboard, which viewers can choose too',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    const { id } = await createDashboard(api, { name: 'Growth' })
    const filters = { date_from: '-7d', properties: [{ key: 'plan', value: ['pro'] }] }
    await api.post('saved_views', {
      ...{ name: 'Pro, last week', page: 'dashboard', dashboard_id: id, filters },
    })
    await page.goto(`/project/${api.projectId}/dashboards/${id}`)

    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Pro, last week' }).click()

    await page.getByRole('button', { name: 'Last 7 days' }).waitFor()
    await page.getByText('plan is pro').first().waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('plan is pro').first().waitFor({ state: 'detached' })
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

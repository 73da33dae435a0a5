import { it } from 'vitest'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'

it(
  'creates a cohort by behavior, counts it before, says who is in it and edits it',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    const { body } = await api.get('')
    const paid = (distinct_id: string, amount: number) => ({
      event: 'paid',
      distinct_id,
      properties: { amount },
    })
    const batch = [paid('ada', 1), paid('ada', 5), paid('ada', 9), paid('bob', 9)]
    await api.post('/batch', { api_key: body.api_token, batch })
    await page.goto(`/project/${api.projectId}/cohorts`)

    await page.getByRole('button', { name: 'New cohort' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Regulars')
    await dialog.getByRole('combobox', { name: 'Condition' }).click()
    await page.getByRole('option', { name: 'Did an event', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Event' }).click()
    await page.getByRole('option', { name: 'paid' }).click()
    await dialog.getByText('Matches 2 persons now.').waitFor()
    await dialog.getByRole('textbox', { name: 'Times' }).fill('2')
    await dialog.getByText('Matches 1 person now.').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create cohort' }).click()

    await page.getByText('Persons who did “paid” at least 2 times in the last 30 days.').waitFor()
    await page.getByRole('link', { name: 'ada' }).waitFor()
    await page.getByRole('button', { name: 'Edit cohort' }).click()
    await dialog.getByRole('combobox', { name: 'Condition' }).click()
    await page.getByRole('option', { name: 'Stopped doing an event' }).click()
    await dialog.getByText('Matches 0 persons now.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()

    await page.getByText(/^Persons who stopped doing “paid”/).waitFor()
    await page.getByText('No members').waitFor()
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

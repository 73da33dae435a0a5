import { expect, it } from 'vitest'
import { startTestWorker } from '../support/app/import-app.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, startWeb } from './browser.ts'

const ORDERS = Buffer.from(
  'customer,when,kind,total\nada@a.test,2026-03-01T10:00:00Z,order paid,42.5\nbob@a.test,2026-03-02T10:00:00Z,order left,7\n',
)

it(
  'picks the columns of a file with a live preview, imports it and leads to the events',
  async () => {
    const web = await startWeb({ bypassCSP: true })
    const { api, page } = web
    startTestWorker(api)
    await page.goto('/project/1/apps')
    await page.getByRole('link', { name: 'Add import app' }).click()
    await page.getByRole('button', { name: 'Add to project: CSV' }).click()
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: ORDERS })

    const preview = page.getByRole('region', { name: 'Preview' })
    const person = page.getByRole('combobox', { name: 'Person column' })
    await page.getByText('Set "Person column" to one of them').first().waitFor()
    expect(await person.getAttribute('aria-invalid')).toBe('true')
    await person.click()
    await person.fill('')
    await page.getByRole('option', { name: 'customer' }).click()
    await page.getByText('Set "Time column" to one of them').first().waitFor()
    const time = page.getByRole('combobox', { name: 'Time column' })
    await time.fill('')
    await time.click()
    await page.getByRole('option', { name: 'when' }).click()
    await preview.getByText('imported').first().waitFor()
    const event = page.getByRole('combobox', { name: 'Event name or column' })
    await event.fill('')
    await event.click()
    await page.getByRole('option', { name: 'kind' }).click()
    await preview.getByText('order paid').waitFor()
    await preview.getByText('{"total":42.5}').waitFor()
    await expectAccessible(page)

    expect((await api.get('events')).body.results).toEqual([])
    await page.getByRole('button', { name: 'Save, enable and run' }).click()
    await page.getByRole('link', { name: 'See the events' }).click()
    await page.getByRole('cell', { name: 'order left' }).waitFor()
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

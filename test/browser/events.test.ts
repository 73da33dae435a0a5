import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { TestApp } from '../support/app/app.ts'
import { expectNoProblems, openWeb } from './browser.ts'

const VISITOR = '0190c2f0-aaaa-7bbb-8ccc-000000000001'

async function send(api: TestApp, event: string, properties: object = {}, distinct_id = 'ada') {
  const { body } = await api.get('')
  const batch = [{ event, distinct_id, properties }]
  await api.post('/batch', { api_key: body.api_token, batch })
}

it('waits for the first event, shows it live, and pauses while the user reads', async () => {
  const web = await openWeb()
  const { api, page } = web
  await page.goto(`/project/${api.projectId}/events`)
  await page.getByText('Waiting for the first event').waitFor()

  await send(api, 'signed up')
  await page.getByRole('button', { name: 'signed up' }).waitFor()
  await page.getByRole('button', { name: 'signed up' }).hover()
  await page.getByText('Paused while reading').waitFor()
  await send(api, 'after')
  const newEvents = page.getByRole('button', { name: '1 new event' })
  await newEvents.waitFor()
  expect(await page.getByRole('button', { name: 'after' }).count()).toBe(0)
  await newEvents.click()

  await page.getByRole('button', { name: 'after' }).waitFor()
  expectNoProblems(web)
})

it('names the persons of listed and live events, and links to them', async () => {
  const web = await openWeb()
  const { api, page } = web
  await send(api, '$identify', { $set: { email: 'ada@example.com' } })
  await send(api, '$pageview', {}, VISITOR)
  await page.goto(`/project/${api.projectId}/events`)
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
  await page.getByRole('link', { name: 'Visitor 000001' }).waitFor()

  await send(api, '$identify', { $set: { name: 'Bob' } }, 'bob')
  await page.getByRole('link', { name: 'Bob', exact: true }).click()

  await page.getByRole('heading', { name: 'Bob', level: 1 }).waitFor()
  expectNoProblems(web)
})

it('filters events by a property, shows columns, saves a file and opens an insight', async () => {
  const web = await openWeb()
  const { api, page } = web
  await send(api, 'paid', { amount: 5, $set: { plan: 'pro' } })
  await send(api, 'paid', { amount: 7 }, 'bob')
  await page.goto(`/project/${api.projectId}/events`)
  await page.getByText('bob').first().waitFor()

  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('option', { name: 'amount' }).click()
  await page.getByRole('combobox', { name: 'Values' }).fill('5')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Apply filter' }).click()
  await page.getByText('amount is 5').waitFor()
  await page.getByRole('link', { name: 'bob' }).waitFor({ state: 'detached' })
  await send(api, 'paid', { amount: 5 }, 'eve')
  await page.getByRole('link', { name: 'eve' }).waitFor()

  await page.getByRole('combobox', { name: 'Property columns' }).click()
  await page.getByRole('option', { name: 'plan' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('cell', { name: 'pro' }).waitFor()

  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(
    file
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split(',').slice(1).join()),
  ).toEqual(['event,distinct_id,person,person.plan', 'paid,eve,eve,', 'paid,ada,ada,pro'])

  await page.getByRole('link', { name: 'Create insight' }).click()
  await page.getByRole('combobox', { name: 'Property' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Property' }).inputValue()).toBe('amount')
  expectNoProblems(web)
})

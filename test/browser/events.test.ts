import { expect, it } from 'vitest'
import type { TestApp } from '../support/app/app.ts'
import { expectNoProblems, openWeb } from './browser.ts'

async function send(api: TestApp, event: string) {
  const { body } = await api.get('')
  const batch = [{ event, distinct_id: 'ada', properties: {} }]
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

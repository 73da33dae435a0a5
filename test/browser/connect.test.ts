import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { expectNoProblems, openWeb } from './browser.ts'

const run = promisify(execFile)

it('opens a project without events, and turns its first event into a chart', async () => {
  const web = await openWeb()
  const { api, page } = web
  const project = `/project/${api.projectId}`
  await page.goto('/')
  await page.getByText('Waiting for your first event').waitFor()
  expect(new URL(page.url()).pathname).toBe(`${project}/connect`)
  await page.getByRole('tab', { name: 'curl' }).click()
  await page.waitForURL(`**${project}/connect?tab=curl`)
  const command = await page.getByRole('region', { name: 'Send an event' }).textContent()

  await run('/bin/sh', ['-c', command ?? ''])

  const status = page.getByRole('status').filter({ hasText: 'First event received' })
  await status.getByText('signed_up').waitFor()
  await page.getByRole('img', { name: 'Events per minute' }).locator('svg').waitFor()
  await page.getByRole('link', { name: 'See live events' }).click()
  await page.getByRole('button', { name: 'signed_up' }).waitFor()
  await page.goto('/')
  await page.waitForURL(`**${project}/dashboards`)
  expectNoProblems(web)
})

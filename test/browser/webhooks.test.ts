import { expect, it } from 'vitest'
import { CONFIGS } from '../support/app/app.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { until } from '../support/until.ts'
import { expectAccessible, expectOpenedAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, startWeb } from './browser.ts'

const ORDER = { type: 'order paid', data: { email: 'ada@example.com', total: 12 } }

it('receives a request, maps its values, tests it and stores its event', {
  timeout: MANY_CHECKS_MS,
}, async () => {
  const web = await startWeb({
    bypassCSP: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { api, page } = web
  startTestWorker(api)
  await page.goto('/project/1/apps')
  await page.getByRole('link', { name: 'Add import app' }).click()
  await page.getByRole('button', { name: 'Add to project: Webhook' }).click()
  await page.getByRole('switch', { name: 'Enable Webhook' }).press('Space')
  await page.getByRole('switch', { name: 'Enable Webhook', checked: true }).waitFor()
  await page.getByRole('tab', { name: 'Requests' }).click()
  await page.getByText('Waiting for the first request…').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Copy address' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const address = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(address).toMatch(/\/in\/.+/)

  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ORDER),
  })

  expect(response.status).toBe(200)
  const list = page.getByRole('list', { name: 'Requests' })
  await list.getByText('Handled').waitFor()
  await expectAccessible(page)
  await list.getByRole('button').click()
  const drawer = page.getByRole('dialog', { name: 'Request' })
  for (const [path, action] of [
    ['data.email', 'Use as person'],
    ['type', 'Use as event'],
  ]) {
    await drawer.getByRole('button', { name: `Use ${path}`, exact: true }).click()
    await page.getByRole('menuitem', { name: action }).click()
    await drawer.getByRole('button', { name: new RegExp(`^Remove .*: ${path}$`) }).waitFor()
  }
  await drawer.getByRole('button', { name: 'Test' }).click()
  const test = drawer.getByRole('region', { name: 'Test' })
  await test.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor()
  await expectOpenedAccessible(page)

  await fetch(address, { method: 'POST', body: JSON.stringify(ORDER) })
  await until(async () => (await api.get(`${CONFIGS}/1/requests?state=done`)).body.count === 2)

  await page.goto('/project/1/events')
  const name = page.getByRole('button', { name: 'order paid', exact: true })
  const event = page.getByRole('row').filter({ has: name })
  await event.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor()
  expectNoProblems(web)
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { CONFIGS, startApp } from '../support/app/app.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { until } from '../support/until.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openBrowser } from './browser.ts'

const KEY = 'sk_shop_1234'
const COUNT = 25
const PAGE = 10
/** In all shops. */
const TOTAL = 2 * COUNT

const SHOPS = ['north', 'south']

/** Serves two shops, and the orders of each in pages of ten, to those with the key. */
async function startShop(): Promise<string> {
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const page = Number(searchParams.get('page') ?? 1)
    response.statusCode = headers.authorization === `Bearer ${KEY}` ? 200 : 401
    if (response.statusCode === 401) return response.end('{"error":"unknown key"}')
    response.setHeader('content-type', 'application/json')
    if (pathname === '/v1/shops') {
      return response.end(JSON.stringify({ data: SHOPS.map((code) => ({ code })) }))
    }
    const shop = pathname.split('/')[3]
    const numbers = Array.from({ length: COUNT }, (_, index) => index + 1)
    const orders = numbers.slice((page - 1) * PAGE, page * PAGE).map((number) => ({
      number: `A-${number}`,
      placed: `2026-01-${String(number).padStart(2, '0')}T10:00:00Z`,
      buyer: { name: `Person ${number}`, mail: `${shop}${number}@example.com` },
      total: `${number * 10}`,
    }))
    response.end(JSON.stringify({ meta: { page, total_pages: 3 }, shop, data: orders }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('builds an app for the paged orders of each shop by clicking, tests it, saves it and imports', {
  timeout: MANY_CHECKS_MS,
}, async () => {
  const shop = await startShop()
  const api = await startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1' })
  const web = await openBrowser(api, { bypassCSP: true, acceptDownloads: true })
  const { page } = web
  startTestWorker(api)
  await page.goto('/project/1/apps/gallery')
  await page.getByRole('button', { name: 'Install app' }).click()
  await page.getByRole('menuitem', { name: 'Connect an API' }).click()
  await page.getByRole('heading', { name: 'Connect an API', level: 1 }).waitFor()

  // with the keyboard
  await page.getByLabel('Address').fill(`${shop}/v1/shops/north/orders`)
  await page.keyboard.press('Enter')
  await page.getByText('The API responded with status 401.').waitFor()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Key' }).press('ArrowDown')
  await page.getByRole('option', { name: 'Bearer token' }).click()
  await page.getByLabel('Value of the key').first().fill(KEY)
  await page.keyboard.press('Enter')
  const response = page.getByRole('region', { name: 'Response' })
  await response.getByText('A-1', { exact: true }).waitFor()

  // paging and the list are found; what the values of a record mean is clicked
  await page.getByLabel('First page').waitFor()
  const mapping = page.getByLabel('Mapping')
  await mapping.getByText('data', { exact: true }).waitFor()
  for (const [path, action] of [
    ['data.0.number', 'Use as ID'],
    ['data.0.buyer.mail', 'Use as person'],
    ['data.0.placed', 'Use as time'],
  ] as const) {
    const button = response.getByRole('button', { name: `Use ${path}`, exact: true })
    if ((await button.count()) === 0) {
      const parent = path.slice(0, path.lastIndexOf('.'))
      await response.getByRole('button', { name: `Values of ${parent}`, exact: true }).click()
    }
    await button.press('Enter')
    await page.getByRole('menuitem', { name: action }).press('Enter')
  }
  await mapping.getByText('buyer.mail').waitFor()
  await page.getByLabel('Name of the event').fill('order placed')
  await page.getByLabel('Name of the app').fill('Corner shop')

  // the steps show what they do to the first record
  for (const [n, kind, field] of [
    [1, 'Cast', 'total'],
    [2, 'Rename', 'buyer'],
  ] as const) {
    await page.getByRole('button', { name: 'Add step' }).click()
    await page.getByRole('combobox', { name: `Kind of step ${n}` }).click()
    await page.getByRole('option', { name: kind }).click()
    await page.getByRole('combobox', { name: `Field of step ${n}` }).fill(field)
    await page.keyboard.press('Escape')
  }
  await page.getByLabel('New name of step 2').fill('customer')
  const record = page.getByRole('region', { name: 'First record' })
  await record.getByText('customer', { exact: true }).waitFor()
  await record.locator('[data-type=number]').getByText('10', { exact: true }).waitFor()

  // the key of the parent is found in the address
  await page.getByRole('button', { name: 'Add parent' }).click()
  await page.getByRole('button', { name: 'Get list' }).click()
  const parent = page.getByRole('group', { name: 'Parent: shops' })
  await expect.poll(() => parent.getByLabel('Key').inputValue()).toBe('code = north')

  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const test = page.getByRole('region', { name: 'Test' })
  await test.getByText(`First 20 of ${TOTAL} events`).waitFor()
  await test.getByRole('cell', { name: 'north1@example.com', exact: true }).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Export file' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'connector.yaml' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('connector.yaml')

  await page.getByRole('button', { name: 'Save as app' }).click()
  await page.getByRole('heading', { name: 'Corner shop', level: 1 }).waitFor()
  await page.getByRole('switch', { name: 'Enable Corner shop' }).press('Space')
  await page.getByRole('switch', { name: 'Enable Corner shop', checked: true }).waitFor()
  await api.post(`${CONFIGS}/1/job`, { job: { type: 'Import now', payload: {} } })
  const stored = await until(async () => {
    const { results } = (await api.get('events?limit=100')).body
    return results.length === TOTAL && results
  })
  const south = stored.find(
    ({ distinct_id }: { distinct_id: string }) => distinct_id === 'south25@example.com',
  )
  expect(south.properties).toMatchObject({ total: 250, customer: { name: 'Person 25' } })
  expectNoProblems(web)
})

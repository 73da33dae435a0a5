import { expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { addEvents, newInsight } from './insights.ts'

it('writes SQL from the list of columns, sees the result without scrolling, and finds it again', async () => {
  const web = await openWeb({ viewport: { width: 1280, height: 800 } })
  const { api, page } = web
  await addEvents(api)
  await page.goto(newInsight(api))
  await page.getByRole('tab', { name: 'SQL' }).click()
  const editor = page.getByLabel('SQL query')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('select count() as n, ')

  await page.getByRole('button', { name: /^properties\.\$browser/ }).click()
  await page.keyboard.type(' as browser from events group by browser order by browser')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+Enter')

  const cell = page.getByRole('cell', { name: 'Firefox' }).first()
  await cell.waitFor()
  const box = await cell.boundingBox()
  expect((box?.y ?? 1000) + (box?.height ?? 0)).toBeLessThan(800)
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText(/^Reads [\d,]+ rows? and returns/).waitFor()
  await page.getByText(/^Took [\d.]+ s of at most 20 s/).waitFor()
  await page.getByRole('button', { name: 'Format' }).click()
  await page.getByText('properties.$browser as browser', { exact: true }).first().waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: /^select count\(\) as n/ }).waitFor()
  expectNoProblems(web)
})

it('shows the result beside or below the editor, as it was left', async () => {
  const web = await openWeb({ viewport: { width: 1280, height: 800 } })
  const { api, page } = web
  await addEvents(api)
  await page.goto(newInsight(api))
  await page.getByRole('tab', { name: 'SQL' }).click()
  const editor = page.getByLabel('SQL query')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('select distinct event from events')
  await page.keyboard.press('ControlOrMeta+Enter')
  const cell = page.getByRole('table').getByRole('cell').first()
  await cell.waitFor()
  const findPlace = async () => {
    const [of, result] = [await editor.boundingBox(), await cell.boundingBox()]
    if (!of || !result) return 'hidden'
    if (result.x > of.x + of.width) return 'beside'
    return result.y > of.y + of.height ? 'below' : 'elsewhere'
  }
  expect(await findPlace()).toBe('beside')

  await page.getByRole('button', { name: 'Result below' }).click()
  await until(async () => (await findPlace()) === 'below')
  await page.reload()
  await page.getByRole('button', { name: 'Result beside' }).waitFor()
  await cell.waitFor()

  expect(await findPlace()).toBe('below')
  await page.getByRole('button', { name: 'Result beside' }).click()
  await until(async () => (await findPlace()) === 'beside')
  await page.setViewportSize({ width: 1100, height: 800 })
  await until(async () => (await findPlace()) === 'below')
  expect(await page.getByRole('button', { name: 'Result below' }).isVisible()).toBe(false)
  expect(await page.getByRole('button', { name: 'Columns of events' }).isVisible()).toBe(true)
  expectNoProblems(web)
})

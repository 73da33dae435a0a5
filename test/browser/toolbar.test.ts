import { expect, it } from 'vitest'
import { openWeb } from './browser.ts'
import { newInsight } from './insights.ts'

it('shows the controls above a chart in one row, with their whole texts', async () => {
  const { page, api } = await openWeb()
  await page.goto(newInsight(api))
  const names = ['Interval', 'Compare with', 'Display']
  const controls = names.map((name) => page.getByRole('combobox', { name }))
  await controls[2]?.waitFor()

  const dates = await page.getByRole('button', { name: /^Dates/ }).boundingBox()
  for (const control of controls) expect((await control.boundingBox())?.y).toBe(dates?.y)
  for (const [name, longest] of [
    ['Compare with', 'Previous period'],
    ['Display', 'Cumulative line'],
  ] as const) {
    const control = page.getByRole('combobox', { name })
    await control.click()
    await page.getByRole('option', { name: longest, exact: true }).click()
    const isCut = await control.evaluate((input) => input.scrollWidth > input.clientWidth)
    expect({ longest, isCut }).toEqual({ longest, isCut: false })
  }
})

import { describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { addEvents, choose, newInsight } from './insights.ts'

describe('insight editor', () => {
  it('draws paths in place of a trend', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addEvents(api)
    await page.goto(newInsight(api))
    const drawing = page.getByRole('main').getByRole('img')
    await drawing.locator('svg').waitFor()

    await page.getByRole('tab', { name: 'Paths' }).click()

    await drawing.getByText('signed_up').waitFor()
    expectNoProblems(web)
  })

  it('saves a filtered funnel and shows it again', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addEvents(api)
    await page.goto(newInsight(api))
    await page.getByRole('tab', { name: 'Funnel' }).click()

    await choose(page, 'Event of step 1', '$pageview')
    await choose(page, 'Event of step 2', 'signed_up')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await choose(page, 'Property', '$browser')
    await page.getByRole('combobox', { name: 'Values' }).fill('Firefox')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/insights\/(?!new)/)
    await page.reload()
    await page.getByRole('tab', { name: 'Show data' }).click()

    const cells = page.getByRole('row').filter({ hasText: 'signed_up' }).getByRole('cell')
    await cells.first().waitFor()
    expect((await cells.allTextContents()).slice(0, 4)).toEqual(['2', 'signed_up', '1', '1'])
    expectNoProblems(web)
  })

  it('reorders series by keyboard, with their open fields', async () => {
    const { api, page } = await openWeb()
    await addEvents(api)
    await page.goto(newInsight(api))
    await choose(page, 'Event of series A', '$pageview')
    await page.getByRole('button', { name: 'Add series' }).click()
    await choose(page, 'Event of series B', 'signed_up')
    await page.getByRole('button', { name: 'Actions for series B' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name of series B' }).fill('New people')

    await page.getByRole('button', { name: 'Move series B' }).press('Space')
    await page.getByText('series B is at position 2 of 2.').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowUp')
    await page.getByText('series B is at position 1 of 2.').waitFor({ state: 'attached' })
    await page.keyboard.press('Space')

    const name = page.getByRole('textbox', { name: 'Name of series A' })
    await until(async () => (await name.inputValue()) === 'New people')
    const event = page.getByRole('combobox', { name: 'Event of series B' })
    expect(await event.inputValue()).toBe('Page view')
    expect(await page.getByRole('textbox', { name: 'Name of series B' }).count()).toBe(0)
  })
})

import { expect, it } from 'vitest'
import { addVisits, visits } from '../support/data/visits.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { numberTile, openDashboard, tileOf } from './dashboard.ts'

it('filters the other tiles by the value of a bar that was clicked, until Escape', async () => {
  const web = await openWeb()
  const { api, page } = web
  await addVisits(api, 31, { properties: { plan: 'pro' } })
  await addVisits(api, 12, { properties: { plan: 'free' } })
  const plans = visits({
    breakdownFilter: { breakdown: 'plan' },
    trendsFilter: { display: 'ActionsBarValue' },
  })
  await openDashboard(web, {
    tiles: [{ insight: { name: 'Plans', query: plans } }, numberTile('Visits')],
  })
  const shows = (text: string) => tileOf(page, 'Visits').getByText(text, { exact: true }).waitFor()
  await shows('43')
  const free = tileOf(page, 'Plans').getByText('free', { exact: true })

  const box = await free.boundingBox()
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) + 20, (box?.y ?? 0) + 4)
  await page.getByRole('menuitem', { name: 'Filter other tiles: plan is free' }).click()

  await shows('12')
  await free.waitFor()
  await tileOf(page, 'Plans').getByText('pro', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('value')).toContain('"free"')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await shows('43')
  expect(new URL(page.url()).searchParams.get('value')).toBeNull()
  expectNoProblems(web)
})

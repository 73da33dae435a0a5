import { expect, it } from 'vitest'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { addVisits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import { numberTile, openDashboard, pageOf, tileOf, waitUntilSaved } from './dashboard.ts'

const section = (body: string, y: number, state = 'open') => ({
  text: { body },
  section: state,
  layouts: { sm: { x: 0, y, w: 12, h: 1 } },
})

const TILES = [
  numberTile('Visits'),
  section('Details', 3),
  numberTile('Plans', 0, 4),
  numberTile('Pages', 4, 4),
  section('Rarely read', 7, 'folded'),
  numberTile('Errors', 0, 8),
]

it('folds a section for the viewer, by keyboard too, and keeps it folded', async () => {
  const web = await openWeb()
  const { api, page } = web
  await addVisits(api, 3)
  const { id } = await openDashboard(web, { tiles: TILES })
  const details = page.getByRole('button', { name: 'Details', exact: true })
  await tileOf(page, 'Plans').getByText('3', { exact: true }).waitFor()
  expect(await tileOf(page, 'Errors').count()).toBe(0)

  await details.focus()
  await page.keyboard.press('Enter')
  await tileOf(page, 'Plans').waitFor({ state: 'detached' })
  expect(await details.getAttribute('aria-expanded')).toBe('false')
  await page.getByText('2 tiles').waitFor()
  await page.getByRole('button', { name: 'Rarely read', exact: true }).click()
  await tileOf(page, 'Errors').getByText('3', { exact: true }).waitFor()

  await page.goto(`${pageOf(api, id)}?kiosk=true`)
  await tileOf(page, 'Errors').waitFor()
  expect(await tileOf(page, 'Plans').count()).toBe(0)
  await page.goto(pageOf(api, id))
  await tileOf(page, 'Errors').waitFor()
  await details.click()
  await tileOf(page, 'Plans').waitFor()
  expectNoProblems(web)
})

it('is added, named, folded for all, moved and removed, and can be undone', async () => {
  const web = await openWeb()
  const { api, page } = web
  const { id } = await openDashboard(web, { tiles: TILES.slice(0, 4) })
  const other = await createDashboard(api, { name: 'Elsewhere' })
  const read = async () => {
    const { tiles } = (await api.get(pathOf(id, '?refresh=force_cache'))).body
    // biome-ignore lint/suspicious/noExplicitAny: the response has the type that the test expects
    return tiles.map((tile: any) => [tile.insight?.name ?? tile.text.body, tile.section])
  }
  const choose = async (title: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${title}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  await page.getByRole('button', { name: 'Add tile', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Section' }).click()
  await page.getByLabel('Section title').fill('Money')
  await page.keyboard.press('Enter')
  await choose('Money', 'Move up')
  await choose('Details', 'Fold by default')
  await tileOf(page, 'Plans').waitFor({ state: 'detached' })
  await waitUntilSaved(page)
  const built = [
    ['Visits', null],
    ['Money', 'open'],
    ['Details', 'folded'],
    ['Plans', null],
    ['Pages', null],
  ]
  await until(async () => JSON.stringify(await read()) === JSON.stringify(built))

  await choose('Details', 'Move to dashboard…')
  await page.getByRole('button', { name: 'Elsewhere' }).click()
  await page.getByRole('button', { name: 'Details', exact: true }).waitFor({ state: 'detached' })
  await waitUntilSaved(page)
  expect((await api.get(pathOf(other.id))).body.tiles).toMatchObject([
    { section: 'folded', text: { body: 'Details' } },
    { insight: { name: 'Plans' } },
    { insight: { name: 'Pages' } },
  ])
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Details', exact: true }).waitFor()
  await until(async () => JSON.stringify(await read()) === JSON.stringify(built))
  await until(async () => (await api.get(pathOf(other.id))).body.tiles.length === 0)

  await choose('Details', 'Remove with 2 tiles')
  await until(async () => (await read()).length === 2)
  expectNoProblems(web)
})

it('opens and folds on a public link, and stays so in this browser', async () => {
  const web = await openWeb({ as: null })
  const { api, page } = web
  await addVisits(api, 3)
  const { id } = await createDashboard(api, { name: 'Sales', tiles: TILES })
  const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
  const path = `/shared/${body.access_token}`

  await page.goto(path)
  await page.getByRole('heading', { name: 'Rarely read' }).click()
  const errors = page.getByRole('region', { name: 'Errors' })
  await errors.getByRole('img').first().waitFor()
  await page.getByRole('heading', { name: 'Details' }).click()
  await page.getByRole('region', { name: 'Plans' }).waitFor({ state: 'hidden' })
  await page.reload()
  await errors.waitFor()
  expect(await page.getByRole('region', { name: 'Plans' }).isVisible()).toBe(false)
  expectNoProblems(web)
})

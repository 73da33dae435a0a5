import { describe, expect, it } from 'vitest'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { createInsight } from '../support/data/insights.ts'
import { visits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb } from './browser.ts'
import {
  chooseFromTile,
  drag,
  listPlaces,
  numberTile,
  openDashboard,
  tileOf,
  waitUntilSaved,
} from './dashboard.ts'

describe('editing a dashboard', () => {
  it('builds a dashboard from scratch and edits its tiles from their menus', async () => {
    const web = await openWeb()
    const { api, page } = web
    const other = await createDashboard(api, { name: 'Elsewhere' })
    await createInsight(api, { name: 'Visits of the week', query: visits() })
    const { id } = await openDashboard(web, { name: 'Draft' })

    await page.getByRole('button', { name: 'Add your first tile' }).click()
    await page.getByRole('menuitem', { name: 'Text' }).click()
    await tileOf(page, 'Text').waitFor()
    await page.getByRole('button', { name: 'Add tile', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Existing insight…' }).click()
    await page.getByLabel('Search insights').fill('week')
    await page.getByRole('button', { name: 'Visits of the week' }).click()
    await tileOf(page, 'Visits of the week').waitFor()
    await page.getByRole('button', { name: 'Draft' }).click()
    await page.getByLabel('Dashboard name').fill('Growth')
    await page.keyboard.press('Enter')
    await waitUntilSaved(page)
    await page.reload()
    await page.getByRole('heading', { name: 'Growth', level: 1 }).waitFor()
    expect((await api.get(pathOf(id))).body).toMatchObject({ name: 'Growth', tiles: [{}, {}] })

    await chooseFromTile(page, 'Visits of the week', 'Rename')
    await page.getByLabel('Insight name').fill('Visits')
    await page.keyboard.press('Enter')
    await chooseFromTile(page, 'Visits', 'Color', 'Purple')
    await chooseFromTile(page, 'Visits', 'Duplicate')
    await tileOf(page, 'Visits (Copy)').waitFor()
    await chooseFromTile(page, 'Visits (Copy)', 'Move to dashboard…')
    await page.getByRole('button', { name: 'Elsewhere' }).click()
    await tileOf(page, 'Visits (Copy)').waitFor({ state: 'detached' })
    await chooseFromTile(page, 'Text', 'Remove')
    await tileOf(page, 'Text').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await tileOf(page, 'Text').waitFor()
    await until(async () => (await api.get(pathOf(id))).body.tiles.length === 2)

    expect((await api.get(pathOf(id))).body.tiles).toMatchObject([
      { text: {} },
      { color: 'purple', insight: { name: 'Visits' } },
    ])
    expect((await api.get(pathOf(other.id))).body.tiles).toMatchObject([
      { insight: { name: 'Visits (Copy)' } },
    ])
    expectNoProblems(web)
  })

  it('keeps the position and size of tiles, by mouse and by keyboard', async () => {
    const web = await openWeb()
    const { api, page } = web
    const tiles = [numberTile('One', 0), numberTile('Two', 4)]
    const { id } = await openDashboard(web, { name: 'Grid', tiles })

    await drag(page, tileOf(page, 'One').getByRole('heading'), { x: 700, y: 0 })
    await waitUntilSaved(page)
    const handle = tileOf(page, 'Two').locator('..').locator('.react-resizable-handle')
    await drag(page, handle, { x: 0, y: 160 })
    await until(async () => (await listPlaces(api, id)).Two?.[3] === 5)
    expect(await listPlaces(api, id)).toMatchObject({ One: [8, 0, 4, 3], Two: [4, 0, 4, 5] })
    const before = await tileOf(page, 'One').boundingBox()
    await page.reload()
    await tileOf(page, 'One').waitFor()
    expect((await tileOf(page, 'One').boundingBox())?.x).toBeCloseTo(before?.x ?? 0, 0)

    await page.getByRole('button', { name: 'Actions for Two' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move and resize' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: 'Move left' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Make wider' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Two: column 3, row 1, 5 columns wide, 5 rows high.').waitFor()
    await until(async () => (await listPlaces(api, id)).Two?.join() === '2,0,5,5')
  })
})

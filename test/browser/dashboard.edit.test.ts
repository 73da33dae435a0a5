import { describe, expect, it } from 'vitest'
import { pathOf } from '../dashboards.ts'
import { createInsight } from '../insights.ts'
import { until } from '../until.ts'
import { visits } from '../visits.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'
import {
  chooseFromTile,
  drag,
  numberTile,
  openDashboard,
  placesOf,
  stopReading,
  tileOf,
  waitUntilSaved,
  wordsTile,
} from './dashboard.ts'

describe('editing a dashboard in a browser', () => {
  it('builds one from nothing: a text, an insight, a name', async () => {
    const web = await startWeb()
    const { api, page } = web
    await createInsight(api, { name: 'Visits of the week', query: visits() })
    const { id } = await openDashboard(web, { name: 'Draft' })

    await page.getByRole('button', { name: 'Add your first tile' }).click()
    await page.getByRole('menuitem', { name: 'Text' }).click()
    await tileOf(page, 'Text').waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
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
    await tileOf(page, 'Visits of the week').waitFor()
    expect((await api.get(pathOf(id))).body).toMatchObject({ name: 'Growth', tiles: [{}, {}] })
    expectNoProblems(web)
  })

  it('keeps where tiles are dragged to and how large they are made', async () => {
    const web = await startWeb()
    const { api, page } = web
    const tiles = [numberTile('One', 0), numberTile('Two', 4)]
    const { id } = await openDashboard(web, { name: 'Grid', tiles })

    await drag(page, tileOf(page, 'One').getByRole('heading'), { x: 700, y: 0 })
    await waitUntilSaved(page)
    const handle = tileOf(page, 'Two').locator('..').locator('.react-resizable-handle')
    await drag(page, handle, { x: 0, y: 160 })
    await until(async () => (await placesOf(api, id)).Two?.[3] === 5)

    expect(await placesOf(api, id)).toMatchObject({ One: [8, 0, 4, 3], Two: [4, 0, 4, 5] })
    const before = await tileOf(page, 'One').boundingBox()
    await page.reload()
    await tileOf(page, 'One').waitFor()
    expect((await tileOf(page, 'One').boundingBox())?.x).toBeCloseTo(before?.x ?? 0, 0)
  })

  it('moves and resizes tiles by the keyboard, and says so', async () => {
    const web = await startWeb()
    const { api, page } = web
    const { id } = await openDashboard(web, { tiles: [numberTile('One', 0)] })

    await page.getByRole('button', { name: 'Actions for One' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move and resize' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: 'Move right' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Make wider' }).focus()
    await page.keyboard.press('Enter')

    await page.getByText('One: column 3, row 1, 5 columns wide, 3 rows high.').waitFor()
    await until(async () => (await placesOf(api, id)).One?.join() === '2,0,5,3')
  })

  it('undoes and redoes what was done', async () => {
    const web = await startWeb()
    const { api, page } = web
    const { id } = await openDashboard(web, { name: 'Before', tiles: [numberTile('One')] })
    const nameOf = async () => (await api.get(pathOf(id))).body.name

    await page.getByRole('button', { name: 'Before' }).click()
    await page.getByLabel('Dashboard name').fill('After')
    await page.keyboard.press('Enter')
    await chooseFromTile(page, 'One', 'Remove')
    await tileOf(page, 'One').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await tileOf(page, 'One').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Before' }).waitFor()
    await until(async () => (await nameOf()) === 'Before')
    await page.keyboard.press('Control+Shift+z')

    await page.getByRole('heading', { name: 'After' }).waitFor()
    await until(async () => (await nameOf()) === 'After')
  })

  it('renames, colours, duplicates and moves tiles from their menu', async () => {
    const web = await startWeb()
    const { api, page } = web
    const other = (await api.post('dashboards', { name: 'Elsewhere' })).body
    const { id } = await openDashboard(web, { name: 'Here', tiles: [numberTile('One')] })

    await chooseFromTile(page, 'One', 'Rename')
    await page.getByLabel('Insight name').fill('Uno')
    await page.keyboard.press('Enter')
    await chooseFromTile(page, 'Uno', 'Color', 'Purple')
    await chooseFromTile(page, 'Uno', 'Duplicate')
    await tileOf(page, 'Uno (Copy)').waitFor()
    await chooseFromTile(page, 'Uno (Copy)', 'Move to dashboard…')
    await page.getByRole('button', { name: 'Elsewhere' }).click()
    await tileOf(page, 'Uno (Copy)').waitFor({ state: 'detached' })
    await until(async () => (await api.get(pathOf(id))).body.tiles.length === 1)

    expect((await api.get(pathOf(id))).body.tiles).toMatchObject([
      { color: 'purple', insight: { name: 'Uno' } },
    ])
    expect((await api.get(pathOf(other.id))).body.tiles).toMatchObject([
      { insight: { name: 'Uno (Copy)' } },
    ])
  })

  it('says what could not be saved, and saves it when asked again', async () => {
    const web = await startWeb()
    const { page } = web
    await openDashboard(web, { name: 'Before' })
    await page.route('**/dashboards/*?seen_activity=*', (route) => route.abort())

    await page.getByRole('button', { name: 'Pin to top' }).click()
    await page.getByText("Not saved: Can't reach the server.").waitFor()
    const asked = page.waitForEvent('dialog') // before it would be lost
    await page.evaluate('setTimeout(() => location.reload())') // which would wait for the answer
    await (await asked).dismiss()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Retry' }).click()

    await waitUntilSaved(page)
    await page.getByRole('button', { name: 'Unpin' }).waitFor()
  })
})

describe('two who edit one dashboard', () => {
  it.each([
    ['Use theirs', { name: 'Theirs', description: 'By them' }],
    ['Keep mine', { name: 'Mine', description: 'By them' }],
  ])('are asked: %s', async (choice, wanted) => {
    const web = await startWeb()
    const { api, page } = web
    const { id } = await openDashboard(web, { name: 'Ours' })
    const other = await openBrowser(api)
    await other.page.goto(`/project/1/dashboards/${id}`)
    const readAgain = await stopReading(page)

    await other.page.getByRole('button', { name: 'Ours' }).click()
    await other.page.getByLabel('Dashboard name').fill('Theirs')
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('button', { name: 'Add a description' }).click()
    await other.page.getByLabel('Dashboard description').fill('By them')
    await other.page.keyboard.press('Enter')
    await until(async () => (await api.get(pathOf(id))).body.description === 'By them')
    await page.getByRole('button', { name: 'Ours' }).click()
    await page.getByLabel('Dashboard name').fill('Mine')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this dashboard' })
    await dialog.getByText('Renamed the dashboard').waitFor()
    await readAgain()
    await dialog.getByRole('button', { name: choice }).click()

    await page.getByRole('heading', { name: wanted.name }).waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await until(async () => (await api.get(pathOf(id))).body.name === wanted.name)
    expect((await api.get(pathOf(id))).body).toMatchObject(wanted)
  })

  it('see what the other did when they have nothing of their own to lose, and whose it was', async () => {
    const web = await startWeb()
    const { api, page } = web
    const { id } = await openDashboard(web, { name: 'Ours' })
    await page.getByRole('button', { name: 'Pin to top' }).click()
    await waitUntilSaved(page)

    await api.patch(pathOf(id), { name: 'Theirs', tiles: [wordsTile('New')] })

    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    await tileOf(page, 'Text').waitFor()
    await page.getByText('Owner changed this dashboard.').waitFor()
    // what could be undone was done to another state
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)
  })
})

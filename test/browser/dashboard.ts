import type { Locator, Page, Route } from 'playwright-core'
import type { TestApp } from '../support/app/app.ts'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { visits } from '../support/data/visits.ts'

export const pageOf = ({ projectId }: TestApp, id: number): string =>
  `/project/${projectId}/dashboards/${id}`

const at = (x: number, y: number, w = 4, h = 3) => ({ sm: { x, y, w, h } })

export const numberTile = (name: string, x = 0, y = 0) => ({
  insight: { name, query: visits() },
  layouts: at(x, y),
})

export const wordsTile = (body: string, x = 0, y = 0) => ({ text: { body }, layouts: at(x, y) })

export const tileOf = (page: Page, name: string): Locator => page.getByRole('article', { name })

/** Creates a dashboard and opens its page. */
export async function openDashboard(
  { api, page }: { readonly api: TestApp; readonly page: Page },
  body: object,
) {
  const dashboard = await createDashboard(api, body)
  await page.goto(pageOf(api, dashboard.id))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return dashboard
}

export const waitUntilSaved = (page: Page): Promise<void> => page.getByText(/^Saved/).waitFor()

export async function chooseFromTile(page: Page, tile: string, ...path: readonly string[]) {
  await page.getByRole('button', { name: `Actions for ${tile}` }).click()
  for (const name of path) await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Lists the positions of the tiles by name. */
export async function listPlaces(api: TestApp, id: number) {
  const { tiles } = (await api.get(pathOf(id))).body
  return Object.fromEntries(
    // biome-ignore lint/suspicious/noExplicitAny: the response has the type that the test expects
    tiles.map(({ insight, text, layouts: { sm } }: any) => [
      insight?.name ?? text.body,
      [sm.x, sm.y, sm.w, sm.h],
    ]),
  )
}

export async function openShare(page: Page, path: string): Promise<Locator> {
  await page.goto(path)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByText('Who can edit').waitFor()
  return dialog
}

/** Drags in steps, as a person does. */
export async function drag(page: Page, from: Locator, by: { x: number; y: number }): Promise<void> {
  const box = await from.boundingBox()
  if (!box) throw new Error('The element to drag is not visible.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + by.x / 2, y + by.y / 2, { steps: 5 })
  await page.mouse.move(x + by.x, y + by.y, { steps: 5 })
  await page.mouse.up()
}

/**
 * Blocks reads of dashboards, so this page does not see other people's edits. Returns a function that unblocks them.
 */
export async function stopReading(page: Page): Promise<() => Promise<void>> {
  const hang = (route: Route) => (route.request().method() === 'GET' ? undefined : route.continue())
  const addresses = '**/api/environments/*/dashboards/**'
  await page.route(addresses, hang)
  return () => page.unroute(addresses, hang)
}

import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'
import { dashboard, dashboardItem, insight, insightTile, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { FakeRequest, Routes } from '../../../test/server.ts'

const PATH = '/api/environments/1/dashboards'
const ELSEWHERE = `PATCH ${PATH}/2`

/** A server of dashboards that keeps deleted tiles, as the real one does. */
function serve(...initial: readonly Dashboard[]) {
  const tilesOf = new Map(initial.map(({ id, tiles }) => [id, [...tiles]]))
  const deleted = new Set<number>()
  let nextId = 50
  const shown = (one: Dashboard) => ({
    ...one,
    tiles: (tilesOf.get(one.id) ?? []).filter(({ id }) => !deleted.has(id)),
  })
  const patch = (one: Dashboard, inputs: readonly TileInput[]) => {
    for (const input of inputs) {
      if (input.id === undefined) tilesOf.get(one.id)?.push(newTile(nextId++, input))
      else if (input.deleted) deleted.add(input.id)
      else deleted.delete(input.id)
    }
    return shown(one)
  }
  const routes: Routes = Object.fromEntries(
    initial.flatMap((one): [string, unknown][] => [
      [`GET ${PATH}/${one.id}`, () => shown(one)],
      [`GET ${PATH}/${one.id}/activity`, pageOf()],
      [
        `PATCH ${PATH}/${one.id}`,
        ({ body }: FakeRequest) => patch(one, (body as { tiles: TileInput[] }).tiles),
      ],
    ]),
  )
  return {
    routes,
    titles: (id: number) =>
      shown(initial.find((one) => one.id === id) as Dashboard).tiles.map(({ id: tile }) => tile),
  }
}

const newTile = (id: number, { insight: given }: TileInput): Tile =>
  insightTile(id, 'x', {
    insight: insight({ id: given?.id ?? 900, name: given?.name ?? 'Visits', query: {} }),
  })

async function open() {
  const here = dashboard({ tiles: [insightTile(1, 'Visits'), insightTile(2, 'Sales')] })
  const there = dashboard({ id: 2, name: 'Elsewhere', tiles: [insightTile(9, 'Other')] })
  const { routes, titles } = serve(here, there)
  const opened = await openPage('/project/1/dashboards/1', {
    ...routes,
    [`GET ${PATH}`]: pageOf(dashboardItem(), dashboardItem({ id: 2, name: 'Elsewhere' })),
    'PATCH /api/environments/1/insights/900': {},
  })
  const choose = async (name: string) => {
    await opened.user.click(await screen.findByRole('button', { name: 'Actions for Visits' }))
    await opened.user.click(await screen.findByRole('menuitem', { name }))
  }
  const transfer = async (item: string, title: string) => {
    await choose(item)
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    await opened.user.click(await dialog.findByRole('button', { name: 'Elsewhere' }))
  }
  const press = async (name: string) =>
    opened.user.click(await screen.findByRole('button', { name }))
  return { ...opened, titles, choose, transfer, press }
}

const shows = (name: string) => screen.queryByRole('article', { name }) !== null

describe('undoing', () => {
  it('a move to another dashboard takes the tile back, and redoing moves it again', async () => {
    const { titles, transfer, press } = await open()
    await transfer('Move to dashboard…', 'Move “Visits” to')
    await waitFor(() => expect(titles(1)).toEqual([2]))
    expect(titles(2)).toEqual([9, 50])

    await press('Undo')
    await waitFor(() => expect(titles(1)).toEqual([1, 2]))
    expect(titles(2)).toEqual([9])
    await screen.findByText('Undone: Moved Visits to “Elsewhere”')
    await waitFor(() => expect(shows('Visits')).toBe(true))
    await press('Redo')

    await waitFor(() => expect(titles(1)).toEqual([2]))
    expect(titles(2)).toEqual([9, 50])
    await screen.findByText('Redone: Moved Visits to “Elsewhere”')
  })

  it('a copy to another dashboard removes the copy', async () => {
    const { server, titles, transfer, press } = await open()
    await transfer('Copy to dashboard…', 'Copy “Visits” to')
    await screen.findByText('Copied to “Elsewhere”.')

    await press('Undo')

    await waitFor(() => expect(titles(2)).toEqual([9]))
    expect(titles(1)).toEqual([1, 2])
    expect(server.bodiesOf(ELSEWHERE).at(-1)).toEqual({ tiles: [{ id: 50, deleted: true }] })
    expect(server.bodiesOf(`PATCH ${PATH}/1`)).toEqual([])
  })

  it('a duplicate removes the tile and the insight that was created for it', async () => {
    const { server, titles, choose, press } = await open()
    await choose('Duplicate')
    await waitFor(() => expect(titles(1)).toEqual([1, 2, 50]))
    const INSIGHT = 'PATCH /api/environments/1/insights/900'

    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Undo' })).toHaveProperty('disabled', false),
    )
    await press('Undo')
    await waitFor(() => expect(server.bodiesOf(INSIGHT)).toEqual([{ deleted: true }]))
    expect(titles(1)).toEqual([1, 2])
    await press('Redo')

    await waitFor(() => expect(titles(1)).toEqual([1, 2, 50]))
    expect(server.bodiesOf(INSIGHT)).toEqual([{ deleted: true }, { deleted: false }])
  })

  it('a removal restores the tile and says so', async () => {
    const { titles, choose, press } = await open()
    await choose('Remove')
    await waitFor(() => expect(titles(1)).toEqual([2]))

    await press('Undo')

    await waitFor(() => expect(titles(1)).toEqual([1, 2]))
    await screen.findByText(/^Undone: Removed Visits/)
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { dashboard, insight, insightTile, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'

const PATH = '/api/environments/1/dashboards/1'
const QUERY = 'POST /api/projects/1/query'

const plan = (value: string) => ({ key: 'plan', type: 'person', operator: 'exact', value: [value] })
const SOURCE = {
  kind: 'TrendsQuery',
  series: [{ event: 'visit' }],
  dateRange: { date_from: '-90d' },
  properties: [plan('own')],
  trendsFilter: { display: 'BoldNumber' },
}
const result = [
  {
    label: 'visit',
    aggregated_value: 31,
    count: 31,
    data: [],
    days: [],
    action: { name: 'visit', custom_name: null, order: 0 },
  },
]

const tileOf = (query: object, fields: Partial<Tile> = {}): Tile =>
  insightTile(1, 'Visits', { insight: insight({ name: 'Visits', query, result }), ...fields })

async function open(tile: Tile, search = '') {
  const saved = dashboard({
    tiles: [tile],
    filters: { date_from: '-30d', properties: [plan('a')] },
  })
  const size = vi.spyOn(Element.prototype, 'getBoundingClientRect')
  size.mockReturnValue(new DOMRect(0, 0, 300, 200)) // charts wait until they are visible
  onTestFinished(() => size.mockRestore())
  const opened = await openPage(`/project/1/dashboards/1${search}`, {
    [`GET ${PATH}`]: saved,
    [`GET ${PATH}/activity`]: pageOf(),
    [QUERY]: { results: [], hasMore: false },
  })
  await screen.findByRole('article', { name: 'Visits' })
  return opened
}

const VISITS = tileOf(
  { kind: 'InsightVizNode', source: SOURCE },
  { filters_overrides: { date_from: '-14d', properties: [plan('b')] } },
)

describe('persons behind a tile', () => {
  it('are asked for with the filters of the dashboard, the tile and the URL', async () => {
    const url = `?date_from=-7d&properties=${JSON.stringify([plan('c')])}`
    const { user, server } = await open(VISITS, url)

    await user.click(await screen.findByRole('button', { name: '31' }))

    await screen.findByRole('dialog', { name: 'Persons: visit' })
    await waitFor(() => expect(server.bodiesOf(QUERY)).toHaveLength(1))
    const { query } = server.bodiesOf(QUERY)[0] as { query: { source: object } }
    expect(query.source).toEqual({
      kind: 'InsightActorsQuery',
      series: 0,
      source: {
        ...SOURCE,
        dateRange: { date_from: '-7d', date_to: null },
        properties: [plan('own'), plan('a'), plan('b'), plan('c')],
      },
    })
  })

  it('can be reached by keyboard from the data of the tile', async () => {
    const { user } = await open(VISITS)

    await user.click(await screen.findByRole('button', { name: 'Actions for Visits' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Show data' }))
    const data = within(await screen.findByRole('dialog', { name: 'Visits' }))
    await user.click(data.getByRole('button', { name: '31' }))

    await screen.findByRole('dialog', { name: 'Persons: visit' })
  })

  it('are not offered in TV mode', async () => {
    await open(VISITS, '?kiosk')

    await screen.findByText('31')
    expect(screen.queryByRole('button', { name: '31' })).toBeNull()
  })
})

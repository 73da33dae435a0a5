import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'
import { addVisits, numberOf, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

const tile = (query: object, more: object = {}) => ({
  insight: { name: 'Visits', query },
  layouts: { sm: { x: 0, y: 0 } },
  ...more,
})

const numbers = (body: { tiles: { insight: { result: unknown } | null }[] }) =>
  body.tiles.map(({ insight }) => insight && (numberOf(insight.result) ?? null))

async function startWith(tiles: object[], more: object = {}) {
  const api = await useApp()
  const { id } = await createDashboard(api, { tiles, ...more })
  const read = async (query = '') => (await api.get(pathOf(id, query))).body
  return { api, id, read }
}

describe("a dashboard's results", () => {
  it('are read from the cache at once and computed in the background', async () => {
    const { api, read } = await startWith([tile(visits()), textTile('Hello', 0, 5)])
    await addVisits(api, 3)

    const body = await until(async () => {
      const now = await read()
      return numbers(now)[0] === 3 && now
    })

    expect(numbers(body)).toEqual([3, null])
    expect(body.tiles[0]).toMatchObject({ is_cached: true, last_refresh: expect.any(String) })
    expect(body.tiles[0].insight).toMatchObject({ is_cached: true, query_status: null })
    expect(body.tiles[0].insight.last_refresh).toBe(body.tiles[0].last_refresh)
    expect(body.tiles[1]).toMatchObject({ is_cached: false, last_refresh: null })
  })

  it('follow new events while someone views the dashboard', async () => {
    const { api, read } = await startWith([tile(visits())])
    await addVisits(api, 1)
    expect(numbers(await read('?refresh=blocking'))).toEqual([1])
    expect(numbers(await read())).toEqual([1])

    await addVisits(api, 1)

    await until(async () => numbers(await read())[0] === 2)
  })

  it('are recomputed as `refresh` requests', async () => {
    const { api, read } = await startWith([tile(visits())])
    await addVisits(api, 1)

    expect(numbers(await read('?refresh=blocking'))).toEqual([1])
    await addVisits(api, 1)
    expect(numbers(await read('?refresh=force_cache'))).toEqual([1])
    expect(numbers(await read('?refresh=blocking'))).toEqual([2])
    await addVisits(api, 1)
    expect(numbers(await read('?refresh=true'))).toEqual([3])
    const before = (await read('?refresh=blocking')).tiles[0].last_refresh
    const after = (await read('?refresh=force_blocking')).tiles[0].last_refresh
    expect(Date.parse(after)).toBeGreaterThan(Date.parse(before))
    const { status, body } = await api.get(pathOf(1, '?refresh=maybe'))
    expect([status, body.attr]).toEqual([400, 'refresh'])
  })

  it('apply the filters of the dashboard, the tile and the request, in this order', async () => {
    const isPro = { key: 'plan', value: 'pro', operator: 'exact', type: 'event' }
    const { api, id, read } = await startWith([
      tile(visits()),
      tile(visits(), { filters_overrides: { date_from: '-30d' } }),
    ])
    await addVisits(api, 1, { days: 1, properties: { plan: 'pro' } })
    await addVisits(api, 2, { days: 5 })
    await addVisits(api, 4, { days: 20 })
    const blocking = async (rest = '') => numbers(await read(`?refresh=blocking${rest}`))
    expect(await blocking()).toEqual([3, 7])

    await api.patch(pathOf(id), { filters: { date_from: '-2d' } })

    expect(await blocking()).toEqual([1, 7])
    await api.patch(pathOf(id), { filters: { properties: [isPro] } })
    expect(await blocking()).toEqual([1, 1])
    const override = (filters: object) =>
      `&filters_override=${encodeURIComponent(JSON.stringify(filters))}`
    expect(await blocking(override({ date_from: '-3d' }))).toEqual([1, 1])
    const echoed = await read(`?refresh=blocking${override({ date_from: '-3d' })}`)
    expect(echoed.filters).toEqual({ date_from: '-3d' })
    expect((await read()).filters).toEqual({ properties: [isPro] })
    expect((await api.get(pathOf(id, '?filters_override={'))).body.attr).toBe('filters_override')
  })

  it('filter by a value that was clicked in a tile, except that tile and those that ignore it', async () => {
    const { api, id, read } = await startWith([
      tile(visits()),
      tile(visits()),
      tile(visits(), { filters_overrides: { value_filter: false } }),
    ])
    await addVisits(api, 1, { properties: { plan: 'pro' } })
    await addVisits(api, 2, { properties: { plan: 'free' } })
    const { tiles } = await read('?refresh=blocking')
    const clicked = (filter: object) =>
      `?refresh=blocking&value_filter=${encodeURIComponent(JSON.stringify(filter))}`
    const isPro = { key: 'plan', value: ['pro'], operator: 'exact', type: 'event' }

    const body = await read(clicked({ tile: tiles[0].id, properties: [isPro] }))

    expect(numbers(body)).toEqual([3, 1, 3])
    expect(body.filters).toEqual({})
    expect(body.tiles[2].filters_not_applied).toEqual([])
    expect(numbers(await read(clicked({ properties: [isPro] })))).toEqual([1, 1, 3])
    expect(numbers(await read('?refresh=blocking'))).toEqual([3, 3, 3])
    const attrOf = async (filter: object) => (await api.get(pathOf(id, clicked(filter)))).body.attr
    expect(await attrOf({ tile: 'x', properties: [isPro] })).toBe('value_filter__tile')
    expect(await attrOf({ tile: 1 })).toBe('value_filter__properties')
    expect(await attrOf({ properties: [isPro], date_from: '-7d', other: 1 })).toBe(
      'value_filter__date_from',
    )
    expect((await api.get(pathOf(id, '?value_filter=['))).body.attr).toBe('value_filter')
  })

  it('apply variables to SQL', async () => {
    const query = {
      kind: 'DataVisualizationNode',
      source: { kind: 'HogQLQuery', query: 'select {variables.word} as word' },
    }
    const variables = { a: { code_name: 'word', variableId: 'a', value: 'hedge' } }

    const { read } = await startWith([tile(query)], { variables })

    const [{ insight }] = (await read('?refresh=blocking')).tiles
    expect(insight.result).toEqual([['hedge']])
  })

  it('contain the error of a query beside the results of other tiles', async () => {
    const { api, read } = await startWith([
      tile({ kind: 'TrendsQuery', series: [] }),
      tile(visits(), { layouts: { sm: { x: 0, y: 5 } } }),
      tile({}, { layouts: { sm: { x: 0, y: 10 } } }),
    ])
    await addVisits(api, 1)

    const body = await read('?refresh=blocking')

    expect(numbers(body)).toEqual([null, 1, null])
    expect(body.tiles[0].insight.query_status).toMatchObject({ complete: true, error: true })
    expect(body.tiles[2].insight.query_status).toBeNull()
  })

  it('are streamed until all are fresh', async () => {
    const { api, id } = await startWith([tile(visits()), tile(visits({ interval: 'week' }))])
    await addVisits(api, 2)

    const events = await readStream(api, pathOf(id, '/stream_tiles'))

    expect(events.map(({ name }) => name)).toEqual(['metadata', 'tile', 'tile', 'complete'])
    for (const { data } of events.slice(1, 3)) expect(numberOf(data.insight.result)).toBe(2)
    const again = await readStream(api, pathOf(id, '/stream_tiles'))
    expect(again.map(({ name }) => name)).toEqual(['metadata', 'complete'])
    expect(numbers(again[0]?.data)).toEqual([2, 2])
  })

  it('are visible by the public link', async () => {
    const { api, id } = await startWith([tile(visits())])
    await addVisits(api, 2)
    const { access_token } = (await api.patch(pathOf(id, '/sharing'), { enabled: true })).body
    const nobody = api.withKey(undefined)

    const body = await until(async () => {
      const shared = (await nobody.get(`/shared/${access_token}.json`)).body.dashboard
      return numbers(shared)[0] === 2 && shared
    })

    expect(body.tiles[0].insight).toMatchObject({ is_cached: true, is_computing: false })
  })
})

interface ServerEvent {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the shape
  readonly data: any
}

/** Reads all events of a stream until the server ends it, without those that announce a computation. */
async function readStream(api: TestApp, path: string): Promise<ServerEvent[]> {
  const { OWNER } = await import('../../../../test/support/app/owner.ts')
  const response = await fetch(api.address(path), {
    headers: { authorization: `Bearer ${OWNER.apiKey}` },
  })
  const text = await response.text()
  const events = text.split('\n\n').flatMap((block) => {
    const name = /^event: (.*)$/m.exec(block)?.[1]
    const data = /^data: (.*)$/m.exec(block)?.[1]
    return name && data ? [{ name, data: JSON.parse(data) }] : []
  })
  return events.filter(({ name, data }) => name !== 'tile' || data.insight.result !== null)
}

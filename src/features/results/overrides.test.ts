import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { addVisits, QUERY, visits } from '../../../test/support/data/visits.ts'

const sql = (query: string, more: object = {}) => ({
  kind: 'DataVisualizationNode',
  source: { kind: 'HogQLQuery', query, ...more },
})
const RETENTION = { kind: 'InsightVizNode', source: { kind: 'RetentionQuery' } }

const COUNT = 'select count() from events'

/** Puts queries on a dashboard and returns the tiles with their results. */
async function showTiles(api: TestApp, queries: readonly object[], more: object) {
  const tiles = queries.map((query, n) => ({ insight: { name: `Insight ${n}`, query } }))
  const { body } = await api.post('dashboards', { name: 'Dashboard', tiles, ...more })
  const shown = await api.get(`dashboards/${body.id}?refresh=blocking`)
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the shape
  return shown.body.tiles as any[]
}

describe("a dashboard's filters", () => {
  it('apply to SQL that uses them', async () => {
    const api = await useApp()
    await addVisits(api, 1, { days: 1, properties: { plan: 'pro' } })
    await addVisits(api, 2, { days: 1, properties: { plan: 'free' } })
    await addVisits(api, 4, { days: 10, properties: { plan: 'pro' } })
    const queries = [
      sql(`${COUNT} where {filters}`),
      sql(`${COUNT} where timestamp >= {filters.dateRange.from}`),
      sql(`${COUNT} where {filters}`, { filters: { dateRange: { date_from: '-30d' } } }),
    ]
    const isPro = { key: 'plan', value: 'pro', type: 'event' }

    const dated = await showTiles(api, queries, { filters: { date_from: '-3d' } })
    const filtered = await showTiles(api, queries, {
      filters: { date_from: '-30d', properties: [isPro] },
    })

    expect(dated.map(({ insight }) => insight.result)).toEqual([[[3]], [[3]], [[3]]])
    expect(filtered.map(({ insight }) => insight.result)).toEqual([[[5]], [[7]], [[5]]])
    expect(filtered.map((tile) => tile.filters_not_applied)).toEqual([[], ['properties'], []])
  })

  it('are listed on tiles that they cannot apply to', async () => {
    const api = await useApp()
    await addVisits(api, 2)
    const queries = [visits(), sql(COUNT), RETENTION]
    const filters = {
      date_from: '-3d',
      date_to: null,
      properties: [{ key: 'plan', operator: 'is_not_set' }],
      breakdown_filter: { breakdown: 'plan' },
    }

    const tiles = await showTiles(api, queries, { filters })
    const plain = await showTiles(api, queries, { filters: {} })

    expect(tiles.map((tile) => tile.filters_not_applied)).toEqual([
      ['breakdown_filter'],
      ['date_from', 'properties', 'breakdown_filter'],
      ['date_from', 'breakdown_filter'],
    ])
    expect(plain.map((tile) => tile.filters_not_applied)).toEqual([[], [], []])
  })

  it('are listed in the response to a query that they cannot apply to', async () => {
    const api = await useApp()
    const filters_override = { date_from: '-3d' }

    const { body } = await api.post(QUERY, { query: sql(COUNT), filters_override })

    expect(body.filters_not_applied).toEqual(['date_from'])
  })
})

describe('variables', () => {
  it('of a dashboard override those of the query', async () => {
    const api = await useApp()
    const of = (value: unknown) => ({ id: { code_name: 'who', value } })
    const query = sql('select {variables.who}', { variables: of('query') })

    const [own] = await showTiles(api, [query], {})
    const [shown] = await showTiles(api, [query], { variables: of('dashboard') })

    expect(own.insight.result).toEqual([['query']])
    expect(shown.insight.result).toEqual([['dashboard']])
  })

  it('are values even inside quotes and comments', async () => {
    const api = await useApp()
    await addVisits(api, 3)
    const query = sql(`${COUNT} where event = '{variables.name}' /* {variables.name} */`)
    const value = "x' or 1 = 1 or 'x' = 'x"

    const { body } = await api.post(QUERY, {
      query,
      variables_override: { id: { code_name: 'name', value } },
    })

    expect(body.results).toEqual([[0]])
  })

  it('without a value are named in the error', async () => {
    const api = await useApp()

    const [tile] = await showTiles(api, [sql('select {variables.who}')], {})

    expect(tile.insight.query_status.error_message).toBe(
      'There is no variable "who". Add it to the query\'s variables.',
    )
  })
})

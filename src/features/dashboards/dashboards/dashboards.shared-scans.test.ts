import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { watchStatements } from '../../../../test/support/data/statements.ts'
import { addVisits, QUERY, visits } from '../../../../test/support/data/visits.ts'

const MATHS = ['total', 'dau', 'weekly_active', 'monthly_active']

const trend = (math: string, more: object = {}) =>
  visits({ series: [{ kind: 'EventsNode', event: 'visit', math }], trendsFilter: {}, ...more })

async function startWith(queries: readonly object[]) {
  const api = await useApp()
  const tiles = queries.map((query, y) => ({
    insight: { name: 'Visits', query },
    layouts: { sm: { x: 0, y } },
  }))
  const { id } = await createDashboard(api, { tiles })
  await addVisits(api, 3)
  await addVisits(api, 2, { days: 4 })
  const read = async () => (await api.get(pathOf(id, '?refresh=force_blocking'))).body
  return { api, read }
}

// biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the response
const insightsOf = (body: any) => body.tiles.map(({ insight }: any) => insight)

const queryAlone = async (api: TestApp, query: object) =>
  (await api.post(QUERY, { query, refresh: 'force_blocking' })).body.results

describe('tiles that count the same events', () => {
  it('are computed together, with the results of each alone', async () => {
    const queries = MATHS.map((math) => trend(math))
    const { api, read } = await startWith([...queries, trend('total')])
    const statements = watchStatements(api)

    const insights = insightsOf(await read())

    expect(statements.started()).toBe(2) // one counts events, the other persons
    const alone = await Promise.all([...queries, trend('total')].map((q) => queryAlone(api, q)))
    expect(insights.map(({ result }: { result: unknown }) => result)).toEqual(alone)
    expect(alone.map(([{ data }]) => data.at(-2))).toEqual([3, 3, 3, 3, 3])
  })

  it('have the problem of their own query only', async () => {
    const broken = trend('total', { trendsFilter: { formula: 'A / B' } })
    const { api, read } = await startWith([trend('total'), broken, trend('dau')])

    const [first, second, third] = insightsOf(await read())

    expect(first.result).toEqual(await queryAlone(api, trend('total')))
    expect(second).toMatchObject({ result: null, query_status: { error: true } })
    expect(third.result).toEqual(await queryAlone(api, trend('dau')))
  })
})

import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { createInsight, INSIGHTS, insightPath } from '../../../../test/support/data/insights.ts'

const namesAt = async (api: TestApp, query = '') =>
  (await api.get(`${INSIGHTS}${query}`)).body.results.map(({ name }: { name: string }) => name)

const COSTS = { name: 'costs', description: 'All_the money', tags: ['b', 'c'] }

/** Insights created in the same millisecond are sorted by id. */
async function start() {
  const api = await useApp()
  const { id: dashboard } = await createDashboard(api)
  const member = await api.as({})
  const anger = { name: 'Ärger 100%', tags: ['a'], dashboards: [dashboard] }
  const { id: first } = await createInsight(api, anger)
  const costs = await createInsight(member, COSTS)
  const { id: visits } = await createInsight(api, { name: 'Visits', saved: false, favorited: true })
  await createInsight(api, { name: 'Gone', deleted: true })
  return { api, member, dashboard, first, costs, visits }
}

const FOUND: readonly [query: string, names: readonly string[]][] = [
  ['', ['Visits', 'costs', 'Ärger 100%']],
  ['?deleted=true', ['Gone']],
  ['?search=äRGER', ['Ärger 100%']],
  ['?search=%25', ['Ärger 100%']],
  ['?search=l_t', ['costs']],
  ['?search=s', ['Visits', 'costs']],
  ['?search=nothing', []],
  ['?tags=a', ['Ärger 100%']],
  ['?tags=a&tags=c', ['costs', 'Ärger 100%']],
  ['?tags=["a","c"]', ['costs', 'Ärger 100%']],
  ['?created_by=[1]', ['Visits', 'Ärger 100%']],
  ['?format=json', ['Visits', 'costs', 'Ärger 100%']],
  ['?saved=false', ['Visits']],
  ['?saved=true', ['costs', 'Ärger 100%']],
  ['?favorited=true', ['Visits']],
  ['?dashboards=987654', []],
  ['?created_by=1', ['Visits', 'Ärger 100%']],
  ['?short_id=abcdefgh', []],
  ['?basic=true', ['Visits', 'costs', 'Ärger 100%']],
  ['?order=last_modified_at', ['Ärger 100%', 'costs', 'Visits']],
  ['?order=-created_at', ['Visits', 'costs', 'Ärger 100%']],
  ['?order=name', ['costs', 'Visits', 'Ärger 100%']],
  ['?order=-name', ['Ärger 100%', 'Visits', 'costs']],
  ['?created_by=1&saved=true', ['Ärger 100%']],
]

describe('the list of insights', () => {
  it('applies each filter, search and order', { tags: 'sql' }, async () => {
    const { api } = await start()

    for (const [query, names] of FOUND) {
      const { body } = await api.get(`${INSIGHTS}${query}`)
      const found = body.results.map(({ name }: { name: string }) => name)
      expect([query, found, body.count]).toEqual([query, names, names.length])
    }
  })

  it('computes results if it is asked to', async () => {
    const { api } = await start()
    const query = { kind: 'HogQLQuery', query: 'select 40 + 2' }
    const { short_id } = await createInsight(api, { query })
    const resultsAt = async (parameters: string) =>
      (await api.get(`${INSIGHTS}?short_id=${short_id}${parameters}`)).body.results[0].result

    expect(await resultsAt('')).toBeNull()
    expect(await resultsAt('&refresh=blocking')).toEqual([[42]])
  })

  it('returns the same fields as a GET of each insight', async () => {
    const { api, dashboard } = await start()

    const { results } = (await api.get(INSIGHTS)).body

    for (const insight of results) {
      expect((await api.get(insightPath(insight.id))).body).toEqual(insight)
    }
    expect(results[2].dashboards).toEqual([dashboard])
    expect(await namesAt(api, `?dashboards=${dashboard}`)).toEqual(['Ärger 100%'])
    expect(await namesAt(api, `?dashboards=[${dashboard}]`)).toEqual(['Ärger 100%'])
    expect(await namesAt(api, `?dashboards=[${dashboard},987654]`)).toEqual([])
  })

  it('starts with the last modified', { tags: 'sql' }, async () => {
    const { api, member, first } = await start()
    const yesterday = { last_modified_at: '2026-01-01T00:00:00.000Z' }
    await api.db
      .updateTable('insights')
      .set(yesterday)
      .where('project_id', '=', api.projectId)
      .execute()

    await member.patch(insightPath(first), { description: 'x' })

    expect((await namesAt(api))[0]).toBe('Ärger 100%')
  })

  it('sorts insights with equal times by id', { tags: 'sql' }, async () => {
    const api = await useApp()
    const ids: number[] = []
    for (const name of ['a', 'a', 'a']) ids.push((await createInsight(api, { name })).id)
    const idsAt = async (query: string) =>
      (await api.get(`${INSIGHTS}${query}`)).body.results.map(({ id }: { id: number }) => id)

    expect(await idsAt('?order=name')).toEqual(ids)
    expect(await idsAt('?order=-name')).toEqual(ids.toReversed())
  })

  it('filters by short id, creator and current name', async () => {
    const { api, member, costs, visits } = await start()
    await api.patch(insightPath(visits), { name: 'Besuche', tags: ['new'] })

    expect(await namesAt(api, `?short_id=${costs.short_id}`)).toEqual(['costs'])
    expect(await namesAt(api, `?created_by=${member.uuid}`)).toEqual(['costs'])
    expect(await namesAt(api, '?search=besuche')).toEqual(['Besuche'])
    expect(await namesAt(api, '?search=visits')).toEqual([])
    expect(await namesAt(api, '?search=new')).toEqual(['Besuche'])
  })

  it('is paginated, and counts all past the end', async () => {
    const { api } = await start()

    expect((await api.get(`${INSIGHTS}?limit=1&offset=1`)).body).toMatchObject({
      count: 3,
      next: api.address(`${INSIGHTS}?limit=1&offset=2`),
      previous: api.address(`${INSIGHTS}?limit=1`),
      results: [{ name: 'costs' }],
    })
    expect((await api.get(`${INSIGHTS}?offset=50`)).body).toMatchObject({ count: 3, results: [] })
  })

  it.each([
    ['?created_by=x', 'created_by'],
    ['?order=query', 'order'],
    ['?dashboards=x', 'dashboards'],
    ['?dashboards=[1,"x"]', 'dashboards'],
    [`?dashboards=[${Array.from({ length: 21 }, (_, n) => n + 1)}]`, 'dashboards'],
    ['?created_by=[1,"x"]', 'created_by'],
    ['?refresh=soon', 'refresh'],
    ['?saved=x', 'saved'],
    ['?limit=0', 'limit'],
    [`?search=${'x'.repeat(201)}`, 'search'],
  ])('refuses %s', async (query, attr) => {
    const api = await useApp()

    expect(await api.get(`${INSIGHTS}${query}`)).toMatchObject({ status: 400, body: { attr } })
  })

  it('is up to date after every change, even of a dashboard', async () => {
    const { api, dashboard } = await start()
    const before = await api.get(INSIGHTS)
    const known = { 'if-none-match': before.headers.get('etag') ?? '' }
    expect((await api.get(INSIGHTS, known)).status).toBe(304)

    await api.patch(pathOf(dashboard), { deleted: true })

    const after = await api.get(INSIGHTS, known)
    expect(after.status).toBe(200)
    expect(after.body.results[2]).toMatchObject({ name: 'Ärger 100%', dashboards: [] })
  })
})

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PROJECT, startApp, useApp } from '../../../test/support/app/app.ts'
import { toEvent } from '../../../test/support/data/queries.ts'
import { addVisits, daysAgo, numberOf, QUERY, visits } from '../../../test/support/data/visits.ts'
import { until } from '../../../test/support/until.ts'

describe('a query', () => {
  it('reads the events of its project and is cached', { tags: 'sql' }, async () => {
    const api = await useApp()
    const other = await api.createProject()
    await addVisits(api, 3)
    await addVisits(api, 5, { project: other })

    const first = await api.post(QUERY, { query: visits() })
    const second = await api.post(QUERY, { query: visits().source })

    expect([first.status, numberOf(first.body.results)]).toEqual([200, 3])
    expect(first.body).toMatchObject({ is_cached: false, timezone: 'UTC', query_status: null })
    expect(second.body).toEqual({ ...first.body, is_cached: true })
    const foreign = await api.post(`/api/environments/${other}/query`, { query: visits() })
    expect(numberOf(foreign.body.results)).toBe(5)
  })

  it('has the same cached result whatever its display settings are', async () => {
    const api = await useApp()
    await addVisits(api, 3)
    const ask = async (trendsFilter: object) =>
      (await api.post(QUERY, { query: visits({ trendsFilter }) })).body
    await ask({ display: 'BoldNumber' })

    const again = await ask({ display: 'BoldNumber', decimalPlaces: 0 })

    expect(again).toMatchObject({ is_cached: true })
  })

  it('is recomputed when there are new events', async () => {
    const api = await useApp()
    await addVisits(api, 3)
    const ask = async (refresh?: string) =>
      (await api.post(QUERY, { query: visits(), ...(refresh && { refresh }) })).body
    expect(numberOf((await ask()).results)).toBe(3)

    await addVisits(api, 1)

    expect(numberOf((await ask('force_cache')).results)).toBe(3)
    expect(await ask()).toMatchObject({ is_cached: false })
    expect(numberOf((await ask()).results)).toBe(4)
    await api.delete('persons/p0/events')
    expect(numberOf((await ask()).results)).toBe(2)
  })

  it('is recomputed on a new day', async () => {
    const api = await useApp()
    await addVisits(api, 3)
    const ask = async () => (await api.post(QUERY, { query: visits() })).body
    const today = [await ask(), await ask()]

    const clock = vi.spyOn(Temporal.Now, 'instant')
    onTestFinished(() => clock.mockRestore())
    clock.mockReturnValue(Temporal.Now.instant().add({ hours: 24 }))
    const tomorrow = [await ask(), await ask()]

    expect(today.map(({ is_cached }) => is_cached)).toEqual([false, true])
    expect(tomorrow.map(({ is_cached }) => is_cached)).toEqual([false, true])
  })

  it('can run in the background', async () => {
    const api = await useApp()
    await addVisits(api, 2)

    const { status, body } = await api.post(QUERY, { query: visits(), refresh: 'async' })

    expect([status, body.results]).toEqual([202, null])
    expect(body.query_status).toMatchObject({ complete: false, error: false })
    const path = `${QUERY}/${body.query_status.id}`
    const done = await until(async () => {
      const response = await api.get(path)
      return response.body.results ? response.body : undefined
    })
    expect(numberOf(done.results)).toBe(2)
    const other = await api.createProject()
    expect((await api.get(api.path(path, other))).status).toBe(404)
    expect((await api.get(`${QUERY}/nothing`)).status).toBe(404)
  })

  it('is computed once for concurrent requests', async () => {
    const api = await useApp()
    await addVisits(api, 2)
    let count = 0
    const { events } = api.services
    const { query } = events
    Object.assign(events, {
      query: (...args: Parameters<typeof query>) => {
        if (args[0] === api.projectId) count++ // tests before may still query theirs
        return query(...args)
      },
    })
    onTestFinished(() => void Object.assign(events, { query }))

    const responses = await Promise.all(
      Array.from({ length: 100 }, () => api.post(QUERY, { query: visits() })),
    )

    expect(responses.map(({ body }) => numberOf(body.results))).toEqual(Array(100).fill(2))
    expect(count).toBe(1)
  })

  it('applies filter and variable overrides', async () => {
    const api = await useApp()
    await addVisits(api, 1, { properties: { plan: 'pro' } })
    await addVisits(api, 2, { properties: { plan: "o'free" }, days: 5 })
    const ask = async (body: object) => (await api.post(QUERY, body)).body.results

    const filters = (filters_override: object) => ask({ query: visits(), filters_override })
    expect(numberOf(await filters({ date_from: '-2d' }))).toBe(1)
    const isPro = { key: 'plan', value: 'pro', operator: 'is_not', type: 'event' }
    expect(numberOf(await filters({ properties: [isPro] }))).toBe(2)

    const query = {
      kind: 'HogQLQuery',
      query: 'select count() from events where properties.plan = {variables.plan}',
    }
    const variable = (value: unknown) =>
      ask({ query, variables_override: { x: { code_name: 'plan', value } } })
    expect(await variable("o'free")).toEqual([[2]])
    expect(await variable("' or 1 = 1 or '' = '")).toEqual([[0]])
  })

  it.each([
    [{}, 'query__kind'],
    [{ kind: 'Trend' }, 'query__kind'],
    [{ kind: 'InsightVizNode' }, 'query__source'],
    [{ kind: 'TrendsQuery' }, 'query__series'],
    [{ kind: 'TrendsQuery', series: [] }, 'query__series'],
    [visits({ series: [{ math: 'most' }] }), 'query__source__series__0__math'],
    [visits({ dateRange: { date_from: 'soon' } }), 'query__source__dateRange__date_from'],
    [visits({ interval: 'century' }), 'query__source__interval'],
    [{ kind: 'HogQLQuery', query: 'drop table events' }, 'query__query'],
    [
      { kind: 'DataTableNode', source: { kind: 'HogQLQuery', query: 'select * from x' } },
      'query__source__query',
    ],
    [{ kind: '__proto__' }, 'query__kind'],
    [{ kind: 'FunnelsQuery', series: [{}] }, 'query__series'],
  ])('is rejected with the invalid key: %j', async (query, attr) => {
    const api = await useApp()

    const { status, body } = await api.post(QUERY, { query })

    expect([status, body.attr]).toEqual([400, attr])
  })

  it('requires the scope query:read', async () => {
    const api = await useApp()
    const reader = await api.as({ scopes: ['query:read'] })
    const other = await api.as({ scopes: ['dashboard:read'] })

    expect((await reader.post(QUERY, { query: visits() })).status).toBe(200)
    expect((await other.post(QUERY, { query: visits() })).status).toBe(403)
  })

  it('is cached across restarts', async () => {
    const api = await startApp()
    await addVisits(api, 2)
    const { body } = await api.post(QUERY, { query: visits() })

    const { results } = await import('./cache/store.ts').then(async ({ listResults }) => ({
      results: await listResults(api.db, 1, [body.cache_key]),
    }))

    expect(JSON.parse(results.get(body.cache_key)?.results ?? '')).toEqual(body.results)
  })

  it("follows the project's time zone and test accounts", { tags: 'sql' }, async () => {
    const api = await useApp()
    await addVisits(api, 1, { properties: { email: 'a@ours.example' } })
    await addVisits(api, 2, { properties: { email: 'b@theirs.example' } })
    const filter = { key: 'email', operator: 'not_icontains', value: '@ours.' }
    await api.patch(PROJECT, {
      timezone: 'Asia/Kathmandu',
      test_account_filters: [filter],
    })

    const ask = async (more: object) => (await api.post(QUERY, { query: visits(more) })).body

    expect(numberOf((await ask({})).results)).toBe(3)
    const { results, timezone } = await ask({ filterTestAccounts: true })
    expect([numberOf(results), timezone]).toEqual([2, 'Asia/Kathmandu'])
    await api.patch(PROJECT, { test_account_filters: [] })
    expect(numberOf((await ask({ filterTestAccounts: true })).results)).toBe(3)
  })

  it('is recomputed in another time zone on the same day', async () => {
    const api = await useApp()
    const day = daysAgo(2).slice(0, 10)
    const times = [`${day}T00:30:00Z`, `${day}T23:30:00Z`]
    await api.services.events.append(
      api.projectId,
      times.map((at) => toEvent({ event: 'visit', at })),
    )
    const dateRange = { date_from: day, date_to: day }
    const count = async () =>
      numberOf((await api.post(QUERY, { query: visits({ dateRange }) })).body.results)
    expect(await count()).toBe(2)
    // the date there is the date in UTC: a new day would make the result stale in any case
    const timezone = new Date().getUTCHours() < 12 ? 'Asia/Kathmandu' : 'America/Lima'

    await api.patch(PROJECT, { timezone })

    expect(await count()).toBe(1)
  })
})

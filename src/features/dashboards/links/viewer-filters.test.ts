import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { addVisits, daysAgo, numberOf, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

const COUNT = {
  kind: 'DataVisualizationNode',
  source: {
    kind: 'HogQLQuery',
    query: 'select {variables.who}, count() from events where {filters}',
  },
}
const ALL = {
  dates: true,
  properties: [
    { key: 'plan', values: ['pro', 'free'] },
    { key: 'city', type: 'person' },
  ],
  variables: [{ code_name: 'who', values: ['ann', 7] }],
}

const dayOf = (days: number): string => daysAgo(days).slice(0, 10)

/** Shares visits of today, of two days ago and of twenty days ago. The tiles show seven days. */
async function start(viewer_filters: object | null) {
  const api = await useApp()
  await addVisits(api, 1, { days: 0, properties: { plan: 'pro' } })
  await addVisits(api, 2, { days: 2, properties: { plan: 'free' } })
  await addVisits(api, 4, { days: 20, properties: { plan: 'pro' } })
  const { id } = await createDashboard(api, {
    name: 'Sales',
    variables: { id: { code_name: 'who', value: 'all' } },
    tiles: [
      { insight: { name: 'Visits', query: visits() } },
      { insight: { name: 'Table', query: COUNT } },
    ],
  })
  const links = pathOf(id, '/sharing/links')
  const { status, body: link } = await api.post(links, { viewer_filters })
  expect(status).toBe(201)
  return { api, id, link, path: `${links}/${link.id}`, address: `/shared/${link.access_token}` }
}

/** Reads the results of the tiles once they are computed. */
async function readResults(api: TestApp, address: string, search = '') {
  const results = await until(async () => {
    const { body } = await api.withKey(undefined).get(`${address}.json${search}`)
    const insights = body.dashboard.tiles.map(({ insight }: { insight: object }) => insight)
    const isComputing = insights.some(
      (each: { is_cached: boolean; is_computing: boolean }) => each.is_computing,
    )
    return !isComputing && insights.map(({ result }: { result: unknown }) => result)
  })
  return [numberOf(results[0]), results[1]]
}

describe('what viewers of a public link can change', () => {
  it('is nothing, unless the link says so', async () => {
    const { api, link, address } = await start(null)

    expect(link.viewer_filters).toBeNull()
    const names = ['date_from', 'date_to', 'property.plan', 'variable.who', 'filters_override']
    for (const name of names) {
      for (const format of ['', '.json', '.csv', '.png', '.pdf']) {
        const { status, text } = await api.withKey(undefined).get(`${address}${format}?${name}=x`)
        expect([name, format, status]).toEqual([name, format, 403])
        expect(text).toContain(name)
      }
    }
  })

  it('is stored with all of its fields, changed and logged', async () => {
    const { api, id, link, path } = await start(ALL)

    const { body: none } = await api.patch(path, { viewer_filters: { properties: [] } })
    const { body: log } = await api.get(pathOf(id, '/activity'))

    expect(link.viewer_filters).toEqual({
      dates: true,
      properties: [
        { key: 'plan', type: 'event', group_type_index: null, values: ['pro', 'free'] },
        { key: 'city', type: 'person', group_type_index: null, values: null },
      ],
      variables: [{ code_name: 'who', values: ['ann', 7] }],
    })
    expect(none.viewer_filters).toBeNull()
    expect(log.results[0]).toMatchObject({ activity: 'public link changed' })
  })

  it.each([
    [{ dates: 'yes' }, 'viewer_filters__dates'],
    [{ properties: [{ key: 'a' }, { key: 'a' }] }, 'viewer_filters__properties__1'],
    [
      { properties: [{ key: 'a', type: 'group' }] },
      'viewer_filters__properties__0__group_type_index',
    ],
    [{ properties: [{ key: 'a', type: 'cohort' }] }, 'viewer_filters__properties__0__type'],
    [{ variables: [{ code_name: 'a', values: [] }] }, 'viewer_filters__variables__0__values'],
    [{ variables: [{ code_name: 'a' }] }, 'viewer_filters__variables__0__values'],
  ])('refuses %j', async (viewer_filters, attr) => {
    const { api, path } = await start(null)

    const response = await api.patch(path, { viewer_filters })

    expect([response.status, response.body.attr]).toEqual([400, attr])
  })

  it('narrows every tile to the dates, the properties and the variables chosen', async () => {
    const { api, address } = await start(ALL)
    const read = (search: string) => readResults(api, address, search)

    expect(await read('')).toEqual([3, [['all', 7]]])
    expect(await read(`?date_from=${dayOf(1)}`)).toEqual([1, [['all', 1]]])
    expect(await read(`?date_to=${dayOf(1)}`)).toEqual([2, [['all', 6]]])
    expect(await read('?property.plan=pro')).toEqual([1, [['all', 5]]])
    expect(await read('?variable.who=7&date_from=&property.city=')).toEqual([3, [[7, 7]]])
  })

  it('never shows more than the dashboard does', async () => {
    const { api, address } = await start(ALL)
    const read = (search: string) => readResults(api, address, search)

    const [longer] = await read(`?date_from=${dayOf(30)}`)
    const [before] = await read(`?date_from=${dayOf(30)}&date_to=${dayOf(10)}`)
    const page = await api
      .withKey(undefined)
      .get(`${address}?date_from=${dayOf(30)}&date_to=${dayOf(10)}`)

    expect([longer, before]).toEqual([3, undefined])
    expect(page.text).toContain('Nothing to show on these dates.')
  })

  it('changes nothing on the dashboard, in other links or for other viewers', async () => {
    const { api, id, address } = await start(ALL)
    const before = (await api.get(pathOf(id))).body

    await readResults(api, address, '?property.plan=pro&variable.who=ann')

    const after = (await api.get(pathOf(id))).body
    expect([after.filters, after.variables]).toEqual([before.filters, before.variables])
    expect((await readResults(api, address))[0]).toBe(3)
  })

  it.each([
    ['date_from=2026-02-30', 400, 'date_from'],
    ['date_from=-7d', 400, 'date_from'],
    ['date_from=2026-03-02&date_to=2026-03-01', 400, 'date_to'],
    ['property.plan=gold', 400, 'property.plan'],
    ['property.plan=pro&property.plan=free', 400, 'property.plan'],
    ['variable.who=bob', 400, 'variable.who'],
    [`property.city=${'x'.repeat(401)}`, 400, 'property.city'],
    ['property.email=a@b.example', 403, null],
    ['variable.__proto__=1', 403, null],
    ['value_filter={}', 403, null],
  ])('refuses the choice %s', async (search, status, attr) => {
    const { api, address } = await start(ALL)
    const visitor = api.withKey(undefined)

    const data = await visitor.get(`${address}.json?${search}`)
    const page = await visitor.get(`${address}?${search}`)

    expect([data.status, data.body.attr, page.status]).toEqual([status, attr, status])
    expect(page.text).toContain('View everything')
    expect(page.text).not.toContain('Sales')
  })

  it('is a form on the page, which keeps what was chosen', async () => {
    const { api, address } = await start(ALL)

    const search = `?theme=dark&date_from=${dayOf(3)}&property.plan=free`
    const { text } = await api.withKey(undefined).get(`${address}${search}`)

    expect(text).toContain(`name="date_from" value="${dayOf(3)}"`)
    expect(text).toContain('<option value="free" selected>free</option>')
    expect(text).toContain('<input type="hidden" name="theme" value="dark">')
    expect(text).toContain(`.csv?date_from=${dayOf(3)}&amp;property.plan=free"`)
  })

  it('applies to files', async () => {
    const { api, address } = await start(ALL)

    const { text } = await api.withKey(undefined).get(`${address}.csv?property.plan=pro`)

    expect(text).toMatch(/Visits.*,1\r?\n.*all,5/s)
  })
})

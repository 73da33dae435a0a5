import { describe, expect, it } from 'vitest'
import { type Client, DASHBOARDS, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'
import { createInsight, INSIGHTS, insightPath } from '../../../../test/support/data/insights.ts'

const listNames = async (client: Client, query = '') => {
  const { body } = await client.get(`${DASHBOARDS}${query}`)
  return body.results.map(({ name }: { name: string }) => name)
}

/** Creates b, C and a in this order, at different times; a is pinned. */
async function startWithThree() {
  const api = await useApp()
  const made = [{ name: 'b' }, { name: 'C' }, { name: 'a', pinned: true }]
  const ids: number[] = []
  for (const [index, body] of made.entries()) {
    const { id } = await createDashboard(api, body)
    ids.push(id)
    const at = `2026-01-0${index + 1}T00:00:00.000Z`
    await api.db
      .updateTable('dashboards')
      .set({ created_at: at, last_modified_at: at })
      .where('id', '=', id)
      .execute()
  }
  const [b, c, a] = ids as [number, number, number]
  return { api, a, b, c }
}

const ORDERS: readonly [query: string, names: readonly string[]][] = [
  ['', ['a', 'b', 'C']],
  ['?order=name', ['a', 'b', 'C']],
  ['?order=-name', ['C', 'b', 'a']],
  ['?order=created_at', ['b', 'C', 'a']],
  ['?order=-created_at', ['a', 'C', 'b']],
  ['?order=last_modified_at', ['b', 'C', 'a']],
  ['?order=-name&limit=1&offset=1', ['b']],
  ['?order=-name&pinned=false', ['C', 'b']],
]

describe('the order of the list of dashboards', () => {
  it('follows the parameters', { tags: 'sql' }, async () => {
    const { api } = await startWithThree()

    for (const [query, names] of ORDERS) {
      expect(await listNames(api, query), query).toEqual(names)
    }
  })

  it('counts all dashboards in any order', async () => {
    const { api } = await startWithThree()

    const { body } = await api.get(`${DASHBOARDS}?order=-created_at&limit=2`)

    expect(body).toMatchObject({ count: 3, results: [{ name: 'a' }, { name: 'C' }] })
    expect(body.next).toContain('order=-created_at')
  })

  it.each([
    ['renamed', { name: 'b2' }],
    ['tagged', { tags: ['x'] }],
    ['given a tile', { tiles: [textTile('Hello')] }],
  ])('puts a dashboard that was %s last modified', async (_, change) => {
    const { api, b } = await startWithThree()

    await api.patch(pathOf(b), change)

    expect((await listNames(api, '?order=-last_modified_at'))[0]).toMatch(/^b/)
  })

  it('does not count pins, sharing and equal values as a modification', async () => {
    const { api, b } = await startWithThree()

    await api.patch(pathOf(b), { pinned: true })
    await api.patch(pathOf(b, '/sharing'), { enabled: true })
    await api.patch(pathOf(b), { name: 'b' })

    expect(await listNames(api, '?order=-last_modified_at')).toEqual(['a', 'C', 'b'])
  })

  it('lists the last trashed first', { tags: 'sql' }, async () => {
    const { api, a, b } = await startWithThree()
    await api.patch(pathOf(a), { deleted: true })
    await api.patch(pathOf(b), { deleted: true })
    await api.db
      .updateTable('dashboards')
      .set({ last_modified_at: '2027-01-01T00:00:00.000Z' })
      .where('id', '=', b)
      .execute()

    expect(await listNames(api, '?deleted=true&order=-last_modified_at')).toEqual(['b', 'a'])
  })

  it('rejects an unknown order', async () => {
    const api = await useApp()

    const { status, body } = await api.get(`${DASHBOARDS}?order=search_key`)

    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_choice', attr: 'order' })
  })
})

describe('filters of the list of dashboards', () => {
  it('adds last_modified_at on request', async () => {
    const { api } = await startWithThree()

    const { body } = await api.get(`${DASHBOARDS}?with_modified=true`)

    expect(body.results[0]).toMatchObject({ last_modified_at: '2026-01-03T00:00:00.000Z' })
    expect((await api.get(DASHBOARDS)).body.results[0]).not.toHaveProperty('last_modified_at')
  })

  it('finds shared and unshared dashboards', { tags: 'sql' }, async () => {
    const { api, c } = await startWithThree()
    await api.patch(pathOf(c, '/sharing'), { enabled: true })

    expect(await listNames(api, '?is_shared=true')).toEqual(['C'])
    expect(await listNames(api, '?is_shared=false')).toEqual(['a', 'b'])
  })

  it('finds dashboards by id, only in their own project', { tags: 'sql' }, async () => {
    const { api, a, b } = await startWithThree()
    const other = await api.createProject()
    const { body } = await api.post(`/api/environments/${other}/dashboards`, { name: 'theirs' })

    const names = await listNames(api, `?id=${b}&id=${a}&id=404&id=${body.id}`)

    expect(names).toEqual(['a', 'b'])
  })

  it.each(['x', '1.5', '-1'])('refuses the id %s', async (id) => {
    const api = await useApp()

    const { status, body } = await api.get(`${DASHBOARDS}?id=${id}`)

    expect(status).toBe(400)
    expect(body).toMatchObject({ attr: 'id' })
  })
})

describe('used tags', () => {
  it('come from live dashboards, most used first', { tags: 'sql' }, async () => {
    const api = await useApp()
    await createDashboard(api, { tags: ['b', 'a"]'] })
    await createDashboard(api, { tags: ['b', 'c'] })
    await createDashboard(api, { tags: ['gone'], deleted: true })

    const { status, body } = await api.get(`${DASHBOARDS}/tags`)

    expect(status).toBe(200)
    expect(body).toEqual([
      { name: 'b', count: 2 },
      { name: 'a"]', count: 1 },
      { name: 'c', count: 1 },
    ])
  })

  it('follow edits and the trash', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { tags: ['old'] })
    await api.get(`${DASHBOARDS}/tags`)

    await api.patch(pathOf(id), { tags: ['new'] })

    expect((await api.get(`${DASHBOARDS}/tags`)).body).toEqual([{ name: 'new', count: 1 }])
  })

  it('of insights and dashboards are separate', async () => {
    const api = await useApp()
    await createDashboard(api, { tags: ['dashboard'] })
    await createInsight(api, { tags: ['insight'] })
    const { id } = await createInsight(api, { tags: ['gone'] })
    await api.patch(insightPath(id), { deleted: true })

    const { body } = await api.get(`${INSIGHTS}/tags`)

    expect(body).toEqual([{ name: 'insight', count: 1 }])
  })
})

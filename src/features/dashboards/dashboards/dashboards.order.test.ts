import { describe, expect, it } from 'vitest'
import { type Client, DASHBOARDS, startApp, useApp } from '../../../../test/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/dashboards.ts'
import { createInsight, INSIGHTS, insightPath } from '../../../../test/insights.ts'

const namesOf = async (client: Client, query = '') => {
  const { body } = await client.get(`${DASHBOARDS}${query}`)
  return body.results.map(({ name }: { name: string }) => name)
}

/** Creates b, C and a in this order, at different times; a is pinned. */
async function startWithThree() {
  const api = await startApp()
  const made = [{ name: 'b' }, { name: 'C' }, { name: 'a', pinned: true }]
  for (const [index, body] of made.entries()) {
    const { id } = await createDashboard(api, body)
    const at = `2026-01-0${index + 1}T00:00:00.000Z`
    await api.db
      .updateTable('dashboards')
      .set({ created_at: at, last_modified_at: at })
      .where('id', '=', id)
      .execute()
  }
  return api
}

describe('the order of the list of dashboards', () => {
  it.each([
    ['', ['a', 'b', 'C']],
    ['?order=name', ['a', 'b', 'C']],
    ['?order=-name', ['C', 'b', 'a']],
    ['?order=created_at', ['b', 'C', 'a']],
    ['?order=-created_at', ['a', 'C', 'b']],
    ['?order=last_modified_at', ['b', 'C', 'a']],
    ['?order=-name&limit=1&offset=1', ['b']],
    ['?order=-name&pinned=false', ['C', 'b']],
  ])('follows %s', async (query, names) => {
    const api = await startWithThree()

    expect(await namesOf(api, query)).toEqual(names)
  })

  it('counts all dashboards in any order', async () => {
    const api = await startWithThree()

    const { body } = await api.get(`${DASHBOARDS}?order=-created_at&limit=2`)

    expect(body).toMatchObject({ count: 3, results: [{ name: 'a' }, { name: 'C' }] })
    expect(body.next).toContain('order=-created_at')
  })

  it.each([
    ['renamed', { name: 'b2' }],
    ['tagged', { tags: ['x'] }],
    ['given a tile', { tiles: [textTile('Hello')] }],
  ])('puts a dashboard that was %s last modified', async (_, change) => {
    const api = await startWithThree()

    await api.patch(pathOf(1), change)

    expect((await namesOf(api, '?order=-last_modified_at'))[0]).toMatch(/^b/)
  })

  it('does not count pins, sharing and equal values as a modification', async () => {
    const api = await startWithThree()

    await api.patch(pathOf(1), { pinned: true })
    await api.patch(pathOf(1, '/sharing'), { enabled: true })
    await api.patch(pathOf(1), { name: 'b' })

    expect(await namesOf(api, '?order=-last_modified_at')).toEqual(['a', 'C', 'b'])
  })

  it('lists the last trashed first', async () => {
    const api = await startWithThree()
    await api.patch(pathOf(3), { deleted: true })
    await api.patch(pathOf(1), { deleted: true })
    await api.db
      .updateTable('dashboards')
      .set({ last_modified_at: '2027-01-01T00:00:00.000Z' })
      .where('id', '=', 1)
      .execute()

    expect(await namesOf(api, '?deleted=true&order=-last_modified_at')).toEqual(['b', 'a'])
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
    const api = await startWithThree()

    const { body } = await api.get(`${DASHBOARDS}?with_modified=true`)

    expect(body.results[0]).toMatchObject({ last_modified_at: '2026-01-03T00:00:00.000Z' })
    expect((await api.get(DASHBOARDS)).body.results[0]).not.toHaveProperty('last_modified_at')
  })

  it('finds shared and unshared dashboards', async () => {
    const api = await startWithThree()
    await api.patch(pathOf(2, '/sharing'), { enabled: true })

    expect(await namesOf(api, '?is_shared=true')).toEqual(['C'])
    expect(await namesOf(api, '?is_shared=false')).toEqual(['a', 'b'])
  })

  it('finds dashboards by id, only in their own project', async () => {
    const api = await startWithThree()
    const other = await api.createProject()
    const { body } = await api.post(`/api/environments/${other}/dashboards`, { name: 'theirs' })

    const names = await namesOf(api, `?id=1&id=3&id=404&id=${body.id}`)

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
  it('come from live dashboards, most used first', async () => {
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
    const api = await startApp()
    await createDashboard(api, { tags: ['old'] })
    await api.get(`${DASHBOARDS}/tags`)

    await api.patch(pathOf(1), { tags: ['new'] })

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

import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { createDashboard } from '../../../../test/support/data/dashboards.ts'
import { createInsight, INSIGHTS, insightPath } from '../../../../test/support/data/insights.ts'

const STEP = { kind: 'EventsNode', event: 'visited' }

/** Reads an insight without starting a computation. */
const KNOWN = '?refresh=force_cache'

const QUERY = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ event: 'visit' }] },
}

const refusal = (attr: string, code: string) => ({ status: 400, body: { attr, code } })

describe('an insight', () => {
  it('is created and read back', async () => {
    const api = await useApp()
    const sent = {
      name: 'Visits',
      derived_name: 'Page views',
      description: 'By day',
      query: QUERY,
      tags: [' a ', 'a', ''],
      favorited: true,
      saved: false,
    }

    const { status, body } = await api.post(INSIGHTS, sent)

    expect(status).toBe(201)
    expect(body).toMatchObject({ ...sent, tags: ['a'] })
    expect((await api.get(insightPath(body.id, KNOWN))).body).toEqual(body)
  })

  it.each([
    [{ kind: 'TrendsQuery', series: [STEP] }, { insight: 'TRENDS' }],
    [
      { kind: 'InsightVizNode', source: { kind: 'FunnelsQuery', series: [STEP, STEP] } },
      { insight: 'FUNNELS' },
    ],
    [{ kind: 'HogQLQuery', query: 'select 1' }, {}],
  ])('has the filters that older apps read: %j', async (query, filters) => {
    const api = await useApp()
    const { short_id } = await createInsight(api, { query })

    const { body } = await api.get(`${INSIGHTS}?short_id=${short_id}`)

    expect(body.results[0].filters).toEqual(filters)
  })

  it('is created from an empty body with every field', async () => {
    const api = await useApp()

    const body = await createInsight(api)

    const { id, short_id, created_at, created_by, ...others } = body
    expect({ id, short_id }).toEqual({
      id: expect.any(Number),
      short_id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
    })
    expect(created_by.email).toBe('owner@example.com')
    expect(others).toEqual({
      _create_in_folder: null,
      name: '',
      derived_name: null,
      description: '',
      query: {},
      filters: {},
      order: null,
      tags: [],
      favorited: false,
      saved: true,
      deleted: false,
      is_sample: false,
      dashboards: [],
      dashboard_tiles: [],
      effective_restriction_level: 21,
      effective_privilege_level: 37,
      updated_at: created_at,
      last_modified_at: created_at,
      last_modified_by: created_by,
      result: null,
      last_refresh: null,
      is_cached: false,
      query_status: null,
      cache_target_age: null,
      next_allowed_client_refresh: null,
      timezone: null,
      hasMore: null,
      columns: null,
      types: null,
    })
  })

  it('is found by its short id in every operation', async () => {
    const api = await useApp()
    const { id, short_id } = await createInsight(api, { name: 'Visits' })

    const patched = await api.patch(insightPath(short_id), { name: 'Costs' })

    expect(patched).toMatchObject({ status: 200, body: { id, name: 'Costs' } })
    expect((await api.get(insightPath(short_id, KNOWN))).body).toEqual(patched.body)
    expect((await api.get(insightPath(short_id, '/activity'))).body.count).toBe(2)
    expect((await api.post(insightPath(short_id, '/duplicate'))).status).toBe(201)
  })

  it.each(['987654', 'abcdefgh', 'x', '%00', '%F0%9F%98%80', '1.0', '9007199254740993'])(
    'is not found as %s',
    async (id) => {
      const api = await useApp()
      await createInsight(api)

      expect((await api.get(insightPath(id))).status).toBe(404)
      expect((await api.patch(insightPath(id), { name: 'x' })).status).toBe(404)
      expect((await api.get(insightPath(id, '/activity'))).status).toBe(404)
    },
  )

  it('changes only the fields sent', async () => {
    const api = await useApp()
    const member = await api.as({})
    const before = await createInsight(api, { name: 'Visits', query: QUERY, tags: ['a'] })

    const { body } = await member.patch(insightPath(before.id), { description: 'New', query: {} })

    expect(body).toMatchObject({ name: 'Visits', description: 'New', query: {}, tags: ['a'] })
    expect(body.created_by).toEqual(before.created_by)
    expect(body.last_modified_by.id).toBe(member.userId)
    expect(body.last_modified_at >= before.last_modified_at).toBe(true)
    expect(body.updated_at).toBe(body.last_modified_at)
  })

  it('is not modified by a patch with equal values', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api)
    const before = await createInsight(api, { name: 'Visits', query: QUERY, dashboards: [id] })

    const { body } = await member.patch(insightPath(before.id), before)

    expect(body).toEqual(before)
    expect((await api.get(insightPath(before.id, '/activity'))).body.count).toBe(1)
  })

  it('is not found in another project', async () => {
    const api = await useApp()
    const { id, short_id } = await createInsight(api)
    const other = `/api/environments/${await api.createProject()}/insights`

    expect((await api.get(other)).body.count).toBe(0)
    for (const name of [id, short_id]) {
      expect((await api.get(`${other}/${name}`)).status).toBe(404)
      expect((await api.patch(`${other}/${name}`, { name: 'x' })).status).toBe(404)
      expect((await api.post(`${other}/${name}/duplicate`)).status).toBe(404)
    }
  })

  it.each([
    [{ name: 7 }, 'name', 'invalid_input'],
    [{ name: null }, 'name', 'null'],
    [{ name: 'x'.repeat(401) }, 'name', 'max_length'],
    [{ query: null }, 'query', 'null'],
    [{ query: 'select 1' }, 'query', 'not_a_dict'],
    [{ query: { source: {} } }, 'query__kind', 'required'],
    [{ query: { kind: 7 } }, 'query__kind', 'invalid_choice'],
    [{ query: { kind: 'TrendsQuery', series: [] } }, 'query__series', 'invalid_input'],
    [{ tags: 'a' }, 'tags', 'not_a_list'],
    [{ favorited: 'true' }, 'favorited', 'invalid_input'],
    [{ dashboards: [1.5] }, 'dashboards__0', 'invalid_input'],
    [{ dashboards: [987654] }, 'dashboards', 'does_not_exist'],
  ])('refuses %j', async (sent, attr, code) => {
    const api = await useApp()
    const before = await createInsight(api, { name: 'Visits' })

    expect(await api.post(INSIGHTS, { description: 'x', ...sent })).toMatchObject(
      refusal(attr, code),
    )
    expect(await api.patch(insightPath(before.id), { description: 'x', ...sent })).toMatchObject(
      refusal(attr, code),
    )
    expect((await api.get(INSIGHTS)).body.results).toEqual([before])
  })

  it('is not deleted by DELETE', async () => {
    const api = await useApp()
    const { id } = await createInsight(api)

    for (const name of [id, 987654, 'x']) {
      expect(await api.delete(insightPath(name))).toMatchObject({ status: 405, text: '' })
    }
    expect((await api.get(insightPath(id))).body.deleted).toBe(false)
  })
})

describe('a copy of an insight', () => {
  it('has the same query, and is on no dashboard', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id: dashboard } = await createDashboard(api)
    const sent = { name: 'Visits', derived_name: 'x', description: 'd', query: QUERY, tags: ['a'] }
    const source = await createInsight(api, { ...sent, favorited: true, dashboards: [dashboard] })

    const { status, body } = await member.post(insightPath(source.id, '/duplicate'))

    expect(status).toBe(201)
    expect(body).toMatchObject({ ...sent, name: 'Visits (Copy)', favorited: false, dashboards: [] })
    expect(body.created_by.id).toBe(member.userId)
    expect([body.id, body.short_id]).not.toContain(source.short_id)
    expect((await api.get(insightPath(source.id, KNOWN))).body).toEqual(source)
  })

  it('has no name if the original has none, and shortens long names', async () => {
    const api = await useApp()
    const nameless = await createInsight(api)
    const long = await createInsight(api, { name: '😀'.repeat(400) })

    const copies = [
      await api.post(insightPath(nameless.id, '/duplicate')),
      await api.post(insightPath(long.id, '/duplicate')),
    ]

    expect(copies.map(({ body }) => body.name)).toEqual(['', `${'😀'.repeat(393)} (Copy)`])
  })

  it('rejects an original in the trash', async () => {
    const api = await useApp()
    const { id } = await createInsight(api, { deleted: true })

    expect((await api.post(insightPath(id, '/duplicate'))).status).toBe(409)
    expect((await api.get(INSIGHTS)).body.count).toBe(0)
  })
})

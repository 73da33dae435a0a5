import { describe, expect, it } from 'vitest'
import { DASHBOARDS, startApp, useApp } from '../../../../test/support/app/app.ts'

const ANNOTATIONS = 'annotations'

const contentsOf = ({ body }: { body: { results: { content: string }[] } }) =>
  body.results.map(({ content }) => content)

describe('annotations', () => {
  it('are created for the project and read back', async () => {
    const api = await useApp()
    const sent = {
      content: 'Launch',
      date_marker: '2026-01-02T03:04:05+01:00',
      tags: [' web ', ''],
    }

    const { status, body } = await api.post(ANNOTATIONS, sent)

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      content: 'Launch',
      date_marker: '2026-01-02T02:04:05.000Z',
      creation_type: 'USR',
      ...{ dashboard_item: null, dashboard_id: null, dashboard_name: null },
      ...{ insight_short_id: null, insight_name: null, insight_derived_name: null },
      created_by: expect.objectContaining({ id: 1 }),
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
      deleted: false,
      scope: 'project',
      tags: ['web'],
    })
    expect((await api.get(`${ANNOTATIONS}/${body.id}`)).body).toEqual(body)
  })

  it('mark the time of creation by default', async () => {
    const api = await useApp()

    const { body } = await api.post(ANNOTATIONS, { content: null, date_marker: null })

    expect(body).toMatchObject({ content: '', date_marker: body.created_at })
  })

  it('belong to a dashboard or an insight', async () => {
    const api = await useApp()
    const tiles = [{ insight: { name: 'Visits', query: { kind: 'TrendsQuery', series: [] } } }]
    const { body: dashboard } = await api.post(DASHBOARDS, { name: 'Web', tiles })
    const insight = dashboard.tiles[0].insight

    const ofDashboard = await api.post(ANNOTATIONS, { dashboard_id: dashboard.id })
    const ofInsight = await api.post(ANNOTATIONS, { dashboard_item: insight.id })

    expect(ofDashboard.body).toMatchObject({ scope: 'dashboard', dashboard_name: 'Web' })
    expect(ofInsight.body).toMatchObject({
      ...{ scope: 'dashboard_item', dashboard_item: insight.id },
      ...{ insight_name: 'Visits', insight_short_id: insight.short_id },
    })
  })

  it('are listed by time, latest first, and filtered', async () => {
    const api = await useApp()
    const { body: one } = await api.post(DASHBOARDS, { name: 'One' })
    const { body: two } = await api.post(DASHBOARDS, { name: 'Two' })
    const add = (content: string, day: string, more = {}) =>
      api.post(ANNOTATIONS, { content, date_marker: `2026-01-${day}`, ...more })
    await add('middle', '02', { tags: ['Größe'] })
    await add('first', '01', { dashboard_id: one.id })
    await add('last 100%', '03', { dashboard_id: two.id })
    const list = async (query: string) => contentsOf(await api.get(`${ANNOTATIONS}?${query}`))

    expect(await list('')).toEqual(['last 100%', 'middle', 'first'])
    expect(await list('search=GRÖSSE')).toEqual([])
    expect(await list('search=größe')).toEqual(['middle'])
    expect(await list('search=0%25')).toEqual(['last 100%'])
    expect(await list(`dashboard_id=${one.id}`)).toEqual(['middle', 'first'])
    expect(await list('scope=project')).toEqual(['middle'])
    expect(await list('after=2026-01-02&before=2026-01-03')).toEqual(['middle'])
    expect((await api.get(`${ANNOTATIONS}?limit=1`)).body).toMatchObject({ count: 3 })
    expect(await list('limit=1&offset=2')).toEqual(['first'])
  })

  it('are patched, trashed and restored, with their activity', async () => {
    const api = await useApp()
    const { body: created } = await api.post(ANNOTATIONS, {
      content: 'Old',
      date_marker: '2026-01-01',
    })
    const path = `${ANNOTATIONS}/${created.id}`

    const patched = await api.patch(path, { content: 'New', date_marker: null })
    await api.patch(path, { deleted: true })
    const trashed = await api.get(ANNOTATIONS)
    const trash = await api.get(`${ANNOTATIONS}?deleted=true`)
    const restored = await api.patch(path, { deleted: false })

    expect(patched.body).toMatchObject({ content: 'New', date_marker: created.created_at })
    expect(trashed.body.count).toBe(0)
    expect(contentsOf(trash)).toEqual(['New'])
    expect(restored.body).toMatchObject({ deleted: false })
    const { body: activity } = await api.get(`${path}/activity`)
    expect(activity.results.map((entry: { activity: string }) => entry.activity)).toEqual([
      ...['restored', 'deleted', 'updated', 'created'],
    ])
    expect(await api.delete(path)).toMatchObject({ status: 405, text: '' })
  })

  it('of the organization are seen in every project and changed in their own', async () => {
    const api = await startApp()
    const other = await api.createProject()
    const elsewhere = `/api/projects/${other}/annotations`
    const { body } = await api.post(ANNOTATIONS, { content: 'All', scope: 'organization' })
    await api.post(ANNOTATIONS, { content: 'Here' })

    expect(contentsOf(await api.get(elsewhere))).toEqual(['All'])
    expect((await api.get(`${elsewhere}/${body.id}`)).status).toBe(200)
    expect((await api.patch(`${elsewhere}/${body.id}`, { content: 'x' })).status).toBe(403)
  })

  it('of the organization do not tell other projects of their dashboard', async () => {
    const api = await startApp()
    const other = await api.createProject()
    const elsewhere = `/api/projects/${other}/annotations`
    const { body: dashboard } = await api.post(DASHBOARDS, { name: 'Layoffs' })
    const sent = { content: 'All', scope: 'organization', dashboard_id: dashboard.id }
    const { body } = await api.post(ANNOTATIONS, sent)
    const hidden = { content: 'All', dashboard_id: null, dashboard_name: null }

    expect(body).toMatchObject({ dashboard_id: dashboard.id, dashboard_name: 'Layoffs' })
    expect((await api.get(`${elsewhere}/${body.id}`)).body).toMatchObject(hidden)
    expect((await api.get(elsewhere)).body.results).toEqual([expect.objectContaining(hidden)])
  })

  it('of the organization need an admin whose key is not limited', async () => {
    const api = await useApp()
    const member = await api.as({ scopes: ['annotation:write'] })

    const { status } = await member.post(ANNOTATIONS, { scope: 'organization' })

    expect(status).toBe(403)
    expect((await member.post(ANNOTATIONS, { content: 'Mine' })).status).toBe(201)
  })

  it('of another project are not found', async () => {
    const api = await startApp()
    const other = await api.createProject()
    const { body } = await api.post(ANNOTATIONS, { content: 'Here' })
    const elsewhere = `/api/projects/${other}/annotations/${body.id}`

    for (const { status } of [
      await api.get(elsewhere),
      await api.patch(elsewhere, { content: 'x' }),
      await api.get(`${elsewhere}/activity`),
    ]) {
      expect(status).toBe(404)
    }
  })

  it.each([
    ['a dashboard of nobody', { dashboard_id: 999_999 }, 'dashboard_id'],
    ['an insight of nobody', { dashboard_item: 999_999 }, 'dashboard_item'],
    ['no dashboard', { scope: 'dashboard' }, 'dashboard_id'],
    ['no insight', { scope: 'dashboard_item' }, 'dashboard_item'],
    ['an unknown scope', { scope: 'recording' }, 'scope'],
    ['a time that is none', { date_marker: 'yesterday' }, 'date_marker'],
    ['tags that are not a list', { tags: 'a' }, 'tags'],
    ['content that is a number', { content: 7 }, 'content'],
    ['too much content', { content: 'x'.repeat(8193) }, 'content'],
    ['an unknown type', { creation_type: 'BOT' }, 'creation_type'],
  ])('are refused with %s', async (_, body, attr) => {
    const api = await useApp()
    const { body: existing } = await api.post(ANNOTATIONS, { content: 'A' })

    const created = await api.post(ANNOTATIONS, body)
    const patched = await api.patch(`${ANNOTATIONS}/${existing.id}`, body)

    for (const response of [created, patched]) {
      expect(response).toMatchObject({ status: 400, body: { attr } })
    }
    expect((await api.get(ANNOTATIONS)).body.count).toBe(1)
  })
})

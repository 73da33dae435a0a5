import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard } from '../../../../test/support/data/dashboards.ts'

const VIEWS = 'saved_views'
const FILTERS = { event: 'paid', hours: 24, properties: [{ key: 'plan', value: 'pro' }] }

async function create(api: TestApp, body: object = {}) {
  const sent = { name: 'Payments', page: 'events', filters: FILTERS, ...body }
  const created = await api.post(VIEWS, sent)
  expect(created.status, created.text).toBe(201)
  return created.body
}

const namesOf = ({ body }: { body: { results: { name: string }[] } }) =>
  body.results.map(({ name }) => name)

describe('saved views', () => {
  it('are created, read back, changed and deleted', { tags: 'sql' }, async () => {
    const api = await useApp()

    const view = await create(api, { name: ' Payments ' })

    expect(view).toEqual({
      id: expect.any(Number),
      name: 'Payments',
      page: 'events',
      dashboard_id: null,
      filters: FILTERS,
      created_at: expect.stringMatching(/Z$/),
      created_by: expect.objectContaining({ id: 1 }),
    })
    expect((await api.get(`${VIEWS}/${view.id}`)).body).toEqual(view)
    const renamed = await api.patch(`${VIEWS}/${view.id}`, { name: 'Orders' })
    expect(renamed.body).toEqual({ ...view, name: 'Orders' })
    expect((await api.patch(`${VIEWS}/${view.id}`, renamed.body)).body).toEqual(renamed.body)
    expect((await api.delete(`${VIEWS}/${view.id}`)).status).toBe(204)
    expect((await api.get(`${VIEWS}/${view.id}`)).status).toBe(404)
    const log = (await api.get('activity_log?scope=SavedView')).body.results
    expect(log.map(({ activity }: { activity: string }) => activity)).toEqual([
      ...['removed', 'updated', 'created'],
    ])
  })

  it('are listed by place, the oldest first', { tags: 'sql' }, async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Growth' })
    const { id: other } = await createDashboard(api, { name: 'Other' })
    const ofDashboard = { page: 'dashboard', dashboard_id: id, filters: { date_from: '-7d' } }
    await create(api, { name: 'b' })
    await create(api, { name: 'a' })
    await create(api, { ...ofDashboard, name: 'b' })

    expect(namesOf(await api.get(`${VIEWS}?page=events`))).toEqual(['b', 'a'])
    expect(namesOf(await api.get(`${VIEWS}?dashboard_id=${id}`))).toEqual(['b'])
    expect(namesOf(await api.get(`${VIEWS}?dashboard_id=${other}`))).toEqual([])
    expect((await api.get(`${VIEWS}?limit=1&offset=1`)).body).toMatchObject({ count: 3 })
    expect((await api.get(`${VIEWS}?page=persons`)).status).toBe(400)
  })

  it('are not seen by another project', async () => {
    const api = await useApp()
    const other = await useApp()
    const { id } = await create(other)
    const foreign = await createDashboard(other, { name: 'Theirs' })

    expect((await api.get(`${VIEWS}/${id}`)).status).toBe(404)
    expect((await api.patch(`${VIEWS}/${id}`, { name: 'x' })).status).toBe(404)
    expect((await api.delete(`${VIEWS}/${id}`)).status).toBe(404)
    expect((await api.get(VIEWS)).body.count).toBe(0)
    expect(
      await api.post(VIEWS, {
        ...{ name: 'x', page: 'dashboard', dashboard_id: foreign.id, filters: {} },
      }),
    ).toMatchObject({ status: 400, body: { attr: 'dashboard_id' } })
  })

  it('of a restricted dashboard can be changed only by those who can edit it', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Growth', restriction_level: 37 })
    const view = { name: 'Week', page: 'dashboard', dashboard_id: id, filters: {} }
    const { id: viewId } = await create(api, view)
    const member = await api.as({})

    expect((await member.get(`${VIEWS}?dashboard_id=${id}`)).body.count).toBe(1)
    expect((await member.post(VIEWS, { ...view, name: 'Mine' })).status).toBe(403)
    expect((await member.patch(`${VIEWS}/${viewId}`, { name: 'Mine' })).status).toBe(403)
    expect((await member.delete(`${VIEWS}/${viewId}`)).status).toBe(403)
    expect((await api.get(`${VIEWS}/${viewId}`)).body.name).toBe('Week')
  })

  it('refuse what they cannot apply, by name', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Growth' })
    await create(api)
    const ofDashboard = { page: 'dashboard', dashboard_id: id }
    const refusals: [string, object][] = [
      ['name', { name: '' }],
      ['name', { name: 'Payments' }],
      ['page', { page: 'persons' }],
      ['dashboard_id', { dashboard_id: id }],
      ['dashboard_id', { page: 'dashboard' }],
      ['filters', { filters: [] }],
      ['filters__person', { filters: { person: 'ada' } }],
      ['filters__hours', { filters: { hours: 'x' } }],
      ['filters__properties__0__key', { filters: { properties: [{}] } }],
      ['filters__columns__0', { filters: { columns: [1] } }],
      ['filters__event', { ...ofDashboard, filters: { event: 'paid' } }],
      ['filters__variables__team', { ...ofDashboard, filters: { variables: { team: 1 } } }],
    ]

    for (const [attr, body] of refusals) {
      const sent = { name: 'Other', page: 'events', filters: {}, ...body }
      expect(await api.post(VIEWS, sent), JSON.stringify(body)).toMatchObject({
        ...{ status: 400, body: { attr } },
      })
    }
    expect((await api.get(VIEWS)).body.count).toBe(1)
  })

  it('are at most fifty of a place', async () => {
    const api = await useApp()
    for (let n = 0; n < 50; n++) await create(api, { name: `View ${n}` })

    const more = await api.post(VIEWS, { name: 'More', page: 'events', filters: {} })

    expect(more).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('need saved_view:write to be changed', async () => {
    const api = await useApp()
    const { id } = await create(api)
    const reader = await api.as({ scopes: ['saved_view:read'] })

    expect((await reader.get(`${VIEWS}/${id}`)).status).toBe(200)
    expect((await reader.delete(`${VIEWS}/${id}`)).status).toBe(403)
  })
})

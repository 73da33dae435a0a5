import { describe, expect, it } from 'vitest'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { addVisits, numberOf, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

const PASSWORD = 'correct horse'
const ALL = '/api/organizations/@current/public_links'

async function start(link: object = {}) {
  const api = await useApp()
  return { api, ...(await share(api, link)) }
}

/** Adds a link to a new insight. */
async function share(api: TestApp, link: object = {}) {
  await addVisits(api, 3)
  const { body: insight } = await api.post('insights', {
    name: 'Visits',
    description: 'Of everyone',
    query: visits(),
    tags: ['secret'],
  })
  const path = `insights/${insight.id}/sharing/links`
  const { status, body: added } = await api.post(path, link)
  expect(status).toBe(201)
  const address = `/shared/${added.access_token}`
  return { insight, path, added, address, visitor: api.withKey(undefined) }
}

const computed = (api: TestApp, address: string) =>
  until(async () => {
    const { body } = await api.withKey(undefined).get(`${address}.json`)
    return body.insight.result !== null && body
  })

describe('public links of an insight', () => {
  it('are added, listed, changed and revoked', { tags: 'sql' }, async () => {
    const { api, insight, path, added, address, visitor } = await start({ label: 'Board' })

    const byShortId = await api.get(`insights/${insight.short_id}/sharing/links`)
    const { body: changed } = await api.patch(`${path}/${added.id}`, { label: 'Team' })
    await visitor.get(address)
    const { body: days } = await api.get(`${path}/${added.id}/views`)
    const removed = await api.delete(`${path}/${added.id}`)
    const { body: log } = await api.get(`insights/${insight.id}/activity`)

    expect(byShortId.body).toMatchObject({ count: 1, results: [added] })
    expect(added).toMatchObject({ is_first: false, enabled: true, state: 'open' })
    expect([changed.label, days.results[0].views, removed.status]).toEqual(['Team', 1, 204])
    expect((await visitor.get(address)).status).toBe(404)
    expect((await api.get(path)).body.results).toEqual([])
    expect(log.results.map(({ activity }: { activity: string }) => activity).slice(0, 3)).toEqual([
      'public link revoked',
      'public link changed',
      'public link added',
    ])
  })

  it('show the insight and nothing else of the project', async () => {
    const { api, insight, address, visitor } = await start()
    await createDashboard(api, { name: 'OtherSecret' })

    const { type, insight: shown, ...others } = await computed(api, address)
    const page = await visitor.get(address)

    expect([type, others]).toEqual(['scene', {}])
    expect(shown).toMatchObject({ short_id: insight.short_id, name: 'Visits' })
    expect(numberOf(shown.result)).toBe(3)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>Visits</h1>')
    expect(page.text).not.toMatch(/<h2|OtherSecret|secret/)
  })

  it('have files', async () => {
    const { api, address, visitor } = await start()
    await computed(api, address)

    const files = await Promise.all(
      ['csv', 'png', 'pdf'].map((format) => visitor.get(`${address}.${format}`)),
    )

    expect(files.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(files[0]?.text).toMatch(/^series,value\r?\nvisit,3/)
    expect(files[0]?.headers.get('content-disposition')).toContain('Visits.csv')
  })

  it('follow the rules of links: password, exports and the choices of viewers', async () => {
    const { path, api, added, address, visitor } = await start({ password: PASSWORD })
    const locked = await visitor.get(`${address}.json`)
    await api.patch(`${path}/${added.id}`, {
      password: null,
      allows_exports: false,
      viewer_filters: { properties: [{ key: 'plan' }] },
    })

    const none = await until(async () => {
      const { body } = await visitor.get(`${address}.json?property.plan=pro`)
      return body.insight.result !== null && numberOf(body.insight.result) === 0 && body
    })

    expect(locked.status).toBe(401)
    expect(numberOf(none.insight.result)).toBe(0)
    expect((await visitor.get(`${address}.csv`)).status).toBe(403)
    expect((await visitor.get(`${address}.json?date_from=2026-01-01`)).status).toBe(403)
  })

  it('close with the trash, and belong to their insight', async () => {
    const { api, insight, path, added, address, visitor } = await start()
    const { body: copy } = await api.post(`insights/${insight.id}/duplicate`)

    expect((await api.get(`insights/${copy.id}/sharing/links`)).body.results).toEqual([])
    expect((await api.get(`insights/${copy.id}/sharing/links/${added.id}`)).status).toBe(404)
    await api.patch(`insights/${insight.id}`, { deleted: true })
    expect((await visitor.get(address)).status).toBe(404)
    await api.patch(`insights/${insight.id}`, { deleted: false })
    expect((await visitor.get(address)).status).toBe(200)
    expect((await api.get(`${path}/999999`)).status).toBe(404)
  })

  it('are of those who may edit every dashboard that shows the insight', async () => {
    const { api, insight, path, added } = await start()
    const reader = await api.as({})
    const { id } = await createDashboard(api)
    await api.patch(`insights/${insight.id}`, { dashboards: [id] })
    await api.patch(pathOf(id), { restriction_level: 37 })

    const statuses = [
      (await reader.get(`${path}/${added.id}`)).status,
      (await reader.post(path, {})).status,
      (await reader.patch(`${path}/${added.id}`, { label: 'x' })).status,
      (await reader.delete(`${path}/${added.id}`)).status,
    ]

    expect(statuses).toEqual([200, 403, 403, 403])
  })

  it('are in the list of the organization, and revoked there', { tags: 'sql' }, async () => {
    const api = await startApp()
    const { insight, added, address, visitor } = await share(api, { label: 'Board' })

    const { body } = await api.get(`${ALL}?search=visits`)
    const revoked = await api.post(`${ALL}/revoke`, { ids: [added.id] })

    expect(body.results).toMatchObject([
      {
        label: 'Board',
        dashboard: null,
        insight: { id: insight.id, short_id: insight.short_id, name: 'Visits' },
      },
    ])
    expect(revoked.body).toEqual({ revoked: 1 })
    expect((await visitor.get(address)).status).toBe(404)
    expect((await api.get(ALL)).body.count).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { startApp, useApp } from '../../../../test/support/app/app.ts'
import { startImportApp } from '../../../../test/support/app/import-app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { addVisits, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

/** A dashboard with a chart over time, and annotations of every scope for today. */
async function start(app = useApp()) {
  const api = await app
  await addVisits(api, 3)
  const query = visits({ trendsFilter: { display: 'ActionsLineGraph' } })
  const dashboard = await createDashboard(api, {
    name: 'A',
    tiles: [{ insight: { name: 'V', query } }],
  })
  const other = await createDashboard(api, {
    name: 'B',
    tiles: [{ insight: { name: 'W', query } }],
  })
  const { insight } = dashboard.tiles[0]
  const of = (content: string, target: object) => api.post('annotations', { content, ...target })
  await of('OfProject', {})
  await of('OfDashboard', { dashboard_id: dashboard.id })
  await of('OfInsight', { dashboard_item: insight.id })
  await of('OfOther', { dashboard_id: other.id })
  await of('OfOtherInsight', { dashboard_item: other.tiles[0].insight.id })
  const read = async (path: string, key: string = OWNER.apiKey) =>
    (await fetch(api.address(path), { headers: { authorization: `Bearer ${key}` } })).text()
  return { api, dashboard, insight, read }
}

describe('annotations on charts', () => {
  it('are in the SVG of an insight', async () => {
    const { api, insight, read } = await start()
    const blind = await api.as({ scopes: ['insight:read'] })

    const svg = await read(`insights/${insight.id}/export.svg?width=1200`)
    const without = await read(`insights/${insight.id}/export.svg`, blind.key)

    expect(svg).toMatch(/OfInsight, OfProject/)
    expect(svg).not.toMatch(/OfOther|OfDashboard/)
    expect(svg).toContain('stroke-dasharray')
    expect(without).toMatch(/^<svg /)
    expect(without).not.toContain('Annotations')
  })

  it('change the PNG and PDF of a dashboard', async () => {
    const { api, dashboard, read } = await start()
    const blind = await api.as({ scopes: ['dashboard:read'] })

    for (const format of ['png', 'pdf']) {
      const path = `dashboards/${dashboard.id}/export.${format}?width=1200&height=600`
      expect(await read(path)).not.toBe(await read(path, blind.key))
    }
  })

  it('are on the shared page and in its read model, without those of other dashboards', async () => {
    const { api, dashboard } = await start()
    const { body } = await api.patch(pathOf(dashboard.id, '/sharing'), { enabled: true })
    const visitor = api.withKey(undefined)

    const page = await until(async () => {
      const response = await visitor.get(`/shared/${body.access_token}`)
      return !response.text.includes('http-equiv="refresh"') && response
    })
    const { body: model } = await visitor.get(`/shared/${body.access_token}.json`)

    expect(page.text).toMatch(/OfInsight, OfDashboard, OfProject|Annotations: /)
    expect(page.text).not.toContain('OfOther')
    const [{ insight }] = model.dashboard.tiles
    expect(insight.marks.map(({ text }: { text: string }) => text)).toEqual([
      ...['OfInsight', 'OfDashboard', 'OfProject'],
    ])
  })

  it('of other projects are not on the shared page', async () => {
    const { api, dashboard } = await start(startApp()) // the annotation is in every project of its app
    const elsewhere = api.path('annotations', await api.createProject())
    await api.post(elsewhere, { content: 'Elsewhere', scope: 'organization' })
    const { body } = await api.patch(pathOf(dashboard.id, '/sharing'), { enabled: true })

    const { body: model } = await api.withKey(undefined).get(`/shared/${body.access_token}.json`)
    const { body: own } = await api.get('annotations?search=Elsewhere')

    expect(own.count).toBe(1)
    const texts = model.dashboard.tiles[0].insight.marks.map(({ text }: { text: string }) => text)
    expect(texts).toContain('OfProject')
    expect(texts).not.toContain('Elsewhere')
  })
})

describe('an app', () => {
  it('creates annotations in its project', async () => {
    const api = await startImportApp(`
      export const jobs = {
        async work() {
          const path = '/api/projects/@current/annotations'
          const data = { content: 'v2', date_marker: '2026-01-01T00:00:00Z', creation_type: 'GIT' }
          console.log((await posthog.api.post(path, { data })).status)
          const all = { content: 'all', scope: 'organization' }
          console.log((await posthog.api.post(path, { data: all })).status)
        },
      }`)

    await api.runJob('work')

    expect(await api.logged()).toEqual(expect.arrayContaining(['201', '403']))
    expect((await api.get('annotations')).body.results).toMatchObject([
      { content: 'v2', creation_type: 'GIT' },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { SCOPES } from '#server/access/scopes.ts'
import {
  CONFIGS,
  DASHBOARDS,
  PROJECT,
  startApp,
  type TestApp,
  useApp,
} from '../../../test/support/app/app.ts'
import { PLUGINS, sourceOf } from '../../../test/support/app/plugin.ts'
import { above } from '../../../test/support/data/alerts.ts'
import { newEvent } from '../../../test/support/data/events.ts'

const LOG = 'activity_log'

interface Entry {
  readonly activity: string
  readonly scope: string
  readonly detail: { readonly name: string; readonly changes: unknown }
}

const listLog = async (api: Pick<TestApp, 'get'>, query = '') =>
  (await api.get(`${LOG}${query}`)).body.results.map(
    ({ scope, activity, detail }: Entry) => `${scope} ${activity} ${detail.name}`,
  )

async function start() {
  const api = await startApp()
  await api.post(DASHBOARDS, { name: 'Growth' })
  await api.patch(`${DASHBOARDS}/1`, { name: 'Growth 2026' })
  await api.post(CONFIGS, { plugin: 4, name: 'My demo' })
  return api
}

describe('activity log', () => {
  it('lists activity newest first, with links to the items', { tags: 'sql' }, async () => {
    const api = await start()

    const { status, body } = await api.get(LOG)

    expect(status).toBe(200)
    expect(body).toMatchObject({ next: null, previous: null })
    const [config] = body.results.filter(({ scope }: Entry) => scope === 'PluginConfig')
    expect(config.item).toEqual({ kind: 'import_app', id: '1', name: 'My demo' })
    const dashboards = body.results.filter(({ scope }: Entry) => scope === 'Dashboard')
    expect(dashboards).toMatchObject([
      { activity: 'updated', item_id: '1', detail: { name: 'Growth 2026' } },
      { activity: 'created', item: { kind: 'dashboard', id: '1', name: 'Growth 2026' } },
    ])
  })

  it('can be filtered by item, activity, user, time and name', { tags: 'sql' }, async () => {
    const api = await start()
    const member = await api.as({})
    await member.post(DASHBOARDS, { name: 'Über 100%' })
    const of = (query: string) => listLog(api, query)

    expect(await of('?scope=Dashboard&item_id=1&activity=created')).toEqual([
      'Dashboard created Growth',
    ])
    expect(await of(`?user=${member.userId}`)).toEqual(['Dashboard created Über 100%'])
    expect(await of(`?user=${member.uuid}`)).toHaveLength(1)
    expect(await of('?user=system&scope=Dashboard')).toEqual([])
    expect(await of('?search=2026')).toEqual(['Dashboard updated Growth 2026'])
    expect(await of('?search=GROWTH')).toHaveLength(2)
    expect(await of('?search=100%25')).toEqual(['Dashboard created Über 100%'])
    expect(await of('?search=100_')).toEqual([])
    expect(await of('?search=changes')).toEqual([])
    expect(await of('?after=2100-01-01')).toEqual([])
    expect(await of('?before=2100-01-01')).not.toEqual([])
    expect(await of('?before=2000-01-01')).toEqual([])
  })

  it('addresses alerts by UUID and links to their insight', async () => {
    const api = await start()
    const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'a' }] }
    const { body: insight } = await api.post('insights', { query })
    const { body: alert } = await api.post('alerts', {
      ...{ insight: insight.id, name: 'Too few', ...above(1) },
      targets: [{ type: 'webhook', url: 'https://example.com' }],
    })

    const { body } = await api.get(`${LOG}?item_id=${alert.id}`)

    expect(body.results).toMatchObject([
      { scope: 'Alert', item_id: alert.id, item: { kind: 'insight', id: insight.short_id } },
    ])
  })

  it('is paged and has a count', { tags: 'sql' }, async () => {
    const api = await start()

    const { body } = await api.get(`${LOG}?scope=Dashboard&limit=1`)

    expect(body).toMatchObject({ count: 2, results: [{ activity: 'updated' }] })
    const rest = (await api.get(body.next.slice(api.url.length))).body
    expect(rest).toMatchObject({ next: null, results: [{ activity: 'created' }] })
    expect((await api.get(`${LOG}?offset=500`)).body.results).toEqual([])
  })

  it('has no link for items in the trash', async () => {
    const api = await start()
    await api.patch(`${DASHBOARDS}/1`, { deleted: true })

    const { body } = await api.get(`${LOG}?scope=Dashboard&limit=1`)

    expect(body.results).toMatchObject([{ activity: 'deleted', item: null }])
  })

  it('hides items that the key cannot read', { tags: 'sql' }, async () => {
    const api = await start()
    await api.services.events.append(api.projectId, [newEvent({ distinct_id: 'ada' })])
    await api.delete('persons/ada/events')
    const own = { template_name: 'Own', from_dashboard: 1 }
    await api.post('dashboard_templates', own)
    await api.patch(PROJECT, { name: 'Mine' })
    const listScopes = async (scopes: typeof SCOPES) =>
      listLog(await api.as({ scopes: ['activity_log:read', ...scopes] }))

    expect(await listScopes([] as never)).toEqual(['Project updated Mine'])
    expect(await listScopes(['query:read'] as never)).toContain('Project events_deleted ada')
    expect(await listScopes(['dashboard:read'] as never)).toContain('Dashboard created Growth')
    expect(await listScopes(['plugin:write'] as never)).toContain('PluginConfig created Demo data')
    expect(await listScopes(SCOPES)).toEqual(await listLog(api))
  })

  it('has an empty list where nothing changed, and null for installed apps', async () => {
    const api = await start()
    const tiles = [{ type: 'TEXT', body: 'Hello' }]
    await api.post('dashboard_templates', { template_name: 'Own', tiles })
    await api.post('rotate_token')
    await api.post(PLUGINS, sourceOf('export const runEveryHour = () => {}'))

    const { body } = await api.get(LOG)

    const changes = body.results.map(({ activity, detail }: Entry) => [activity, detail.changes])
    expect(changes.slice(0, 4)).toEqual([
      ['installed', null],
      ['token rotated', []],
      ['template created', []],
      ['created', []],
    ])
  })

  it('is isolated between projects', async () => {
    const api = await start()
    const other = await api.createProject()

    expect((await api.get(`/api/projects/${other}/activity_log`)).body.results).toEqual([])
    const stranger = await api.as({ memberOf: [other] })
    expect((await stranger.get(LOG)).status).toBe(403)
  })

  it.each([
    ['after', 'soon'],
    ['before', '0000-01-01'],
    ['user', 'ada'],
  ])('rejects an invalid %s', async (name, value) => {
    const api = await useApp()

    const { status, body } = await api.get(`${LOG}?${name}=${value}`)

    expect([status, body.attr]).toEqual([400, name])
  })
})

import { describe, expect, it } from 'vitest'
import type { KeyScope } from '#server/access/scopes.ts'
import {
  type Client,
  type TestApp,
  type TestResponse,
  useApp,
} from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { newEvent } from '../../../../test/support/data/events.ts'
import { until } from '../../../../test/support/until.ts'

const RAW_EVENTS = { kind: 'HogQLQuery', query: 'select distinct_id from events' }
const TILE = { insight: { name: 'Raw', query: RAW_EVENTS } }
const FROM_JSON = 'dashboards/create_from_template_json'
const TEMPLATES = 'dashboard_templates'

const templateTile = {
  type: 'INSIGHT',
  name: 'Raw',
  description: '',
  query: RAW_EVENTS,
  layouts: {},
  color: null,
}

const template = (name: string) => ({
  template_name: name,
  dashboard_description: '',
  dashboard_filters: {},
  tiles: [templateTile],
})

const WRITES: readonly KeyScope[] = ['dashboard:write', 'insight:write', 'dashboard_template:write']

/** Creates an owner's dashboard over raw events, with one tile. */
async function start() {
  const api = await useApp()
  await api.services.events.append(api.projectId, [newEvent({ distinct_id: 'ada' })])
  const dashboard = await createDashboard(api, { name: 'Existing', tiles: [TILE] })
  return { api, dashboard, insight: dashboard.tiles[0].insight, tile: dashboard.tiles[0] }
}

type Started = Awaited<ReturnType<typeof start>>
type Try = (client: Client, started: Started) => Promise<TestResponse>

const OWN_QUERIES: Record<string, Try> = {
  'a tile of a new dashboard': (client) => client.post('dashboards', { tiles: [TILE] }),
  'a new tile': (client, { dashboard }) => client.patch(pathOf(dashboard.id), { tiles: [TILE] }),
  'a new insight': (client) => client.post('insights', { query: RAW_EVENTS }),
  'an insight': (client, { insight }) =>
    client.patch(`insights/${insight.id}`, { query: { ...RAW_EVENTS, query: 'select event' } }),
  'a template in the request': (client) => client.post(FROM_JSON, { template: template('Sent') }),
  'a new template': (client) => client.post(TEMPLATES, template('New')),
  'variables of a request': (client, { dashboard }) => {
    const variables = JSON.stringify({ a: { code_name: 'person', value: 'ada' } })
    return client.get(`${pathOf(dashboard.id)}?variables_override=${encodeURIComponent(variables)}`)
  },
  'properties of a request': (client, { dashboard }) => {
    const properties = [{ key: 'email', value: 'a', operator: 'icontains' }]
    const filters = encodeURIComponent(JSON.stringify({ properties }))
    return client.get(`${pathOf(dashboard.id)}?filters_override=${filters}`)
  },
}

const patchTemplate = async (owner: TestApp, client: Client) => {
  const { body } = await owner.post(TEMPLATES, template('Stored'))
  const tiles = [{ ...templateTile, query: { ...RAW_EVENTS, query: 'select uuid from events' } }]
  return {
    changed: await client.patch(`${TEMPLATES}/${body.id}`, { tiles }),
    unchanged: await client.patch(`${TEMPLATES}/${body.id}`, body),
  }
}

describe("a query of the caller's own", () => {
  it.each(Object.keys(OWN_QUERIES))('in %s requires query:read', async (name) => {
    const started = await start()
    const writer = await started.api.as({ level: 8, scopes: WRITES })
    const reader = await started.api.as({ level: 8, scopes: [...WRITES, 'query:read'] })
    const session = await started.api.withSession()
    const attempt = OWN_QUERIES[name] as Try

    const refused = await attempt(writer, started)

    expect(refused).toMatchObject({
      status: 403,
      body: {
        code: 'permission_denied',
        detail: "API key missing required scope 'query:read'",
      },
    })
    expect((await attempt(reader, started)).status).toBeLessThan(300)
    if (name !== 'a new template') {
      expect((await attempt(session, started)).status).toBeLessThan(300)
    }
  })

  it('in a stored template requires query:read', async () => {
    const { api } = await start()
    const writer = await api.as({ level: 8, scopes: WRITES })

    const { changed, unchanged } = await patchTemplate(api, writer)

    expect([changed.status, changed.body.detail]).toEqual([
      403,
      "API key missing required scope 'query:read'",
    ])
    expect(unchanged.status).toBe(200)
  })

  it('in a request requires query:read even if another key has cached the result', async () => {
    const { api, dashboard } = await start()
    const scopes = ['dashboard:read']
    const { body } = await api.post('/api/personal_api_keys', { label: 'Reader', scopes })
    const variables = JSON.stringify({ a: { code_name: 'person', value: 'ada' } })
    const path = `${pathOf(dashboard.id)}?variables_override=${encodeURIComponent(variables)}`
    await api.get(path)
    await until(async () => (await api.get(path)).body.tiles[0].insight.result !== null)

    const cached = await api.get(path)
    const refused = await api.withKey(body.value).get(path)

    expect([cached.status, refused.status]).toEqual([200, 403])
  })

  it('is not stored when it is refused', async () => {
    const { api, dashboard } = await start()
    const writer = await api.as({ scopes: WRITES })

    await writer.patch(pathOf(dashboard.id), { name: 'Renamed', tiles: [TILE] })

    const { body } = await api.get(pathOf(dashboard.id))
    expect([body.name, body.tiles.length]).toEqual(['Existing', 1])
  })
})

describe('a key without query:read', () => {
  it('can read the results of existing insights', async () => {
    const { api, dashboard, insight } = await start()
    const reader = await api.as({ scopes: ['dashboard:read', 'insight:read'] })

    const whole = await reader.get(`${pathOf(dashboard.id)}?refresh=blocking`)
    const dated = encodeURIComponent(JSON.stringify({ date_from: '-7d', properties: [] }))
    const lastWeek = await reader.get(`${pathOf(dashboard.id)}?filters_override=${dated}`)
    const alone = await reader.get(`insights/${insight.id}?refresh=blocking`)

    expect(whole.body.tiles[0].insight.result).toEqual([['ada']])
    expect(lastWeek.status).toBe(200)
    expect(alone.body.result).toEqual([['ada']])
  })

  it('can copy insights and dashboards, and send them back unchanged', async () => {
    const { api, dashboard, insight } = await start()
    const writer = await api.as({ scopes: WRITES })

    const responses = [
      await writer.post('dashboards', { use_template: 'DEFAULT_APP' }),
      await writer.post('dashboards', { use_dashboard: dashboard.id, duplicate_tiles: true }),
      await writer.post(`insights/${insight.id}/duplicate`),
      await writer.patch(`insights/${insight.id}`, { ...insight, name: 'Renamed' }),
      await writer.patch(pathOf(dashboard.id), { tiles: dashboard.tiles }),
      await writer.post('insights', { name: 'Empty', query: {} }),
    ]

    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 201])
  })
})

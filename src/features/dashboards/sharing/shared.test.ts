import { describe, expect, it } from 'vitest'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  expireReplacedLinks,
  insightTile,
  pathOf,
  textTile,
} from '../../../../test/support/data/dashboards.ts'

const FULL = {
  name: 'Sales',
  description: 'All of them',
  tags: ['a'],
  pinned: true,
  filters: { date_from: '-7d' },
  variables: { one: { value: 1 } },
  tiles: [insightTile('Visits', 6), { ...textTile('# Hello'), color: 'blue' }],
}

async function share(api: TestApp, id: number): Promise<string> {
  const { body } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
  return `/shared/${body.access_token}.json`
}

/** A copy of dashboard 987654321, created by one user and edited by another, who is a collaborator. */
async function startWithSecrets() {
  const api = await startApp()
  const [creator, guest] = [await api.as({}), await api.as({})]
  await createDashboard(creator, FULL)
  const row = await api.db.selectFrom('dashboards').selectAll().executeTakeFirstOrThrow()
  await api.db
    .insertInto('dashboards')
    .values({ ...row, id: 987_654_321 })
    .execute()
  await api.db.updateTable('tiles').set({ dashboard_id: 987_654_321 }).execute()
  const copy = await createDashboard(creator, { use_dashboard: 987_654_321 })
  const changed = { id: copy.tiles[0].id, text: { body: 'Bye' } }
  await guest.patch(pathOf(copy.id), { tiles: [changed] })
  await api.post(pathOf(copy.id, '/collaborators'), { user_uuid: guest.uuid, level: 37 })
  await share(api, copy.id)
  await api.post(pathOf(copy.id, '/sharing/refresh'))
  return { api, link: await share(api, copy.id) }
}

describe('a shared dashboard', () => {
  it('is public without a key, with public fields only', async () => {
    const api = await useApp()
    const { id, created_at, tiles } = await createDashboard(api, FULL)
    const link = await share(api, id)

    const { status, body } = await api.withKey(undefined).get(link)

    const [text, visits] = tiles
    const { short_id, name, description } = visits.insight
    const { tiles: _, pinned: __, variables: ___, ...shown } = FULL
    expect(status).toBe(200)
    expect(body).toEqual({
      type: 'scene',
      dashboard: {
        id,
        ...shown,
        created_at,
        variables: {},
        effective_restriction_level: 37,
        effective_privilege_level: 21,
        tiles: [
          {
            id: text.id,
            layouts: text.layouts,
            color: 'blue',
            section: null,
            order: 0,
            insight: null,
            text: { body: '# Hello' },
          },
          {
            id: visits.id,
            layouts: visits.layouts,
            color: null,
            section: null,
            order: 1,
            text: null,
            insight: {
              short_id,
              name,
              description,
              query: { kind: 'TrendsQuery' },
              last_refresh: null,
              is_cached: false,
              result: null,
              is_computing: false,
              marks: [],
              columns: null,
            },
          },
        ],
      },
    })
  })

  it('reveals no users, links or other dashboards', async () => {
    const { api, link } = await startWithSecrets()

    const { status, text } = await api.get(link)

    const users = await api.db.selectFrom('users').selectAll().execute()
    const links = [
      ...(await api.db.selectFrom('share_links').select('token').execute()),
      ...(await api.db.selectFrom('replaced_links').select('token').execute()),
    ]
    const secrets = [
      ...users.flatMap(({ email, uuid, distinct_id }) => [email, uuid, distinct_id]),
      ...users.map(({ first_name }) => first_name),
      ...links.map(({ token }) => token),
      ...['987654321', 'created_by', 'use_dashboard', 'modified', 'collaborator', 'access_token'],
    ]
    expect([status, users.length, links.length]).toEqual([200, 3, 3])
    expect(text).toContain('Bye')
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  it('reveals how results are displayed, but not the queries', async () => {
    const api = await useApp()
    const secret = { key: 'email', value: 'eve@example.com', operator: 'exact', type: 'event' }
    const filters = { date_from: '-7d', properties: [secret] }
    const source = {
      kind: 'TrendsQuery',
      interval: 'week',
      filterTestAccounts: true,
      series: [{ kind: 'EventsNode', event: '$pageview', properties: [secret] }],
      properties: [secret],
      trendsFilter: { display: 'ActionsBar', formula: 'A / 2' },
    }
    const table = {
      kind: 'DataVisualizationNode',
      display: 'ActionsLineGraph',
      source: { kind: 'HogQLQuery', query: "select 1 where 'eve@example.com' <> ''" },
    }
    const { id } = await createDashboard(api, {
      filters,
      variables: { one: { value: 'eve@example.com' } },
      tiles: [
        { insight: { name: 'Visits', query: { kind: 'InsightVizNode', source } } },
        { insight: { name: 'Table', query: table } },
      ],
    })

    const { body, text } = await api.withKey(undefined).get(await share(api, id))

    expect(text).not.toContain('eve@example.com')
    expect(body.dashboard.filters).toEqual({ date_from: '-7d' })
    expect(body.dashboard.tiles.map((tile: { insight: object }) => tile.insight)).toMatchObject([
      {
        query: {
          kind: 'InsightVizNode',
          source: {
            kind: 'TrendsQuery',
            interval: 'week',
            trendsFilter: { display: 'ActionsBar' },
          },
        },
      },
      {
        query: {
          kind: 'DataVisualizationNode',
          display: 'ActionsLineGraph',
          source: { kind: 'HogQLQuery' },
        },
      },
    ])
  })

  it('follows every change at once', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, FULL)
    const link = await share(api, id)
    await api.get(link)

    await api.patch(pathOf(id), { name: 'Costs', tiles: [{ id: tiles[0].id, deleted: true }] })

    const { body } = await api.get(link)
    expect(body.dashboard.name).toBe('Costs')
    expect(body.dashboard.tiles.map((tile: { id: number }) => tile.id)).toEqual([tiles[1].id])
  })

  it('is the same for every caller, not cached and not indexed', async () => {
    const api = await useApp()
    const stranger = await api.as({ memberOf: [] })
    const { id } = await createDashboard(api, { ...FULL, restriction_level: 37 })
    const link = await share(api, id)

    const responses = [
      await api.get(link),
      await stranger.get(link),
      await api.withKey('x').get(link),
    ]

    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    for (const { status, headers } of responses) {
      expect(status).toBe(200)
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('cache-control')).toBe('private, no-cache')
    }
  })

  it('looks nonexistent when disabled, replaced or in the trash', async () => {
    const api = await useApp()
    const links = []
    for (const name of ['off', 'trashed', 'replaced']) {
      const { id } = await createDashboard(api, { ...FULL, name })
      links.push(await share(api, id))
      if (name === 'off') await api.patch(pathOf(id, '/sharing'), { enabled: false })
      if (name === 'trashed') await api.patch(pathOf(id), { deleted: true })
      if (name === 'replaced') await api.post(pathOf(id, '/sharing/refresh'))
    }
    await expireReplacedLinks(api)
    const never = [`/shared/${'a'.repeat(30)}.json`, '/shared/x.json', '/shared/%00.json']

    const responses = await Promise.all([...links, ...never].map((link) => api.get(link)))

    const look = ({ status, text, headers }: (typeof responses)[number]) => {
      const { 'x-request-id': _, date: __, ...rest } = Object.fromEntries(headers)
      return { status, text, ...rest }
    }
    expect(responses[0]).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    for (const response of responses)
      expect(look(response)).toEqual(look(responses[0] as typeof response))
  })

  it.each(['.', '.JSON', '.json.json', '.svg', '.json%00'])(
    'is not found if its token is followed by %j',
    async (end) => {
      const api = await useApp()
      const { id } = await createDashboard(api, FULL)
      const link = await share(api, id)

      const { status } = await api.get(link.replace('.json', end))

      expect(status).toBe(404)
    },
  )

  it.each(['POST', 'PATCH', 'PUT', 'DELETE'])('cannot be changed by %s', async (method) => {
    const api = await useApp()
    const { id } = await createDashboard(api, FULL)
    const link = await share(api, id)

    const { status, headers } = await api.withKey(undefined).request(method, link, { name: 'x' })

    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

import { describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '#server/access/scopes.ts'
import { revokeApiKey } from '#server/features/accounts/api-keys/api-keys.ts'
import { useApp } from '../../../test/support/app/app.ts'
import { callTool, connectMcp, listToolNames } from '../../../test/support/app/mcp.ts'
import { createDashboard } from '../../../test/support/data/dashboards.ts'

/** The tools of each scope, written by hand. */
const TOOLS_OF: Partial<Record<Scope, readonly string[]>> = {
  'query:read': [
    ...['event-definitions-list', 'properties-list', 'property-values-list', 'execute-sql'],
    ...['query-trends', 'query-funnel', 'query-retention', 'query-lifecycle', 'query-stickiness'],
    ...['query-paths', 'query-run', 'query-web-overview', 'query-web-stats-table'],
    'query-web-goals',
  ],
  'insight:read': ['insights-list', 'insight-get', 'insight-query', 'insight-picture'],
  'insight:write': ['insight-create', 'insight-update', 'insight-delete'],
  'dashboard:read': [
    ...['dashboards-get-all', 'dashboard-get', 'dashboard-insights-run', 'dashboard-picture'],
  ],
  'dashboard:write': ['dashboard-create', 'dashboard-update', 'dashboard-delete'],
  'dashboard_template:read': ['dashboard-templates-list', 'dashboard-templates-retrieve'],
  'sharing_configuration:read': ['public-links-list', 'insight-public-links-list'],
  'sharing_configuration:write': ['public-link-delete', 'insight-public-link-delete'],
  'person:read': ['persons-list', 'persons-retrieve'],
  'person:write': ['persons-property-set', 'persons-property-delete'],
  'cohort:read': ['cohorts-list', 'cohorts-retrieve', 'persons-cohorts-retrieve'],
  'cohort:write': ['cohorts-create', 'cohorts-partial-update'],
  'action:read': ['actions-get-all', 'action-get'],
  'action:write': ['action-create', 'action-update', 'action-delete'],
  'annotation:read': ['annotations-list', 'annotation-retrieve'],
  'annotation:write': ['annotation-create', 'annotations-partial-update', 'annotation-delete'],
  'comment:read': ['comments-list', 'comments-thread'],
  'comment:write': [
    ...['comments-create', 'comments-update', 'comments-complete', 'comments-delete'],
  ],
  'alert:read': ['alerts-list', 'alert-get', 'alert-deliveries-list'],
  'alert:write': ['alert-create', 'alert-update', 'alert-delete'],
  'plugin:read': [
    ...['import-apps-list', 'import-configs-list', 'import-config-get', 'import-settings-get'],
    ...['import-runs-list', 'import-run-get', 'import-run-preview', 'import-logs-list'],
    ...['import-health-list', 'import-schedule-get', 'import-backfills-list'],
    ...['import-requests-list', 'import-catalog-list'],
  ],
  'plugin:write': [
    ...['import-config-create', 'import-config-update', 'import-config-delete', 'import-job-run'],
    ...['import-settings-update', 'import-run-cancel', 'import-run-retry'],
    ...['import-schedule-update', 'import-backfill-create', 'import-backfill-pause'],
    ...['import-backfill-resume', 'import-backfill-cancel', 'import-request-replay'],
    ...['connector-fetch', 'connector-test', 'connector-save'],
  ],
}

const ANY_KEY = 'projects-get'

/** Writing implies reading. */
const toolsOf = (scope: Scope): string[] => [
  ...(TOOLS_OF[scope] ?? []),
  ...(scope.endsWith(':write') ? (TOOLS_OF[scope.replace('write', 'read') as Scope] ?? []) : []),
]

describe('the list of tools', () => {
  it.each(SCOPES)('has for the scope %s only what it allows', async (scope) => {
    const api = await useApp()
    const { key } = await api.as({ scopes: [scope] })

    const names = await listToolNames(await connectMcp(api, key))

    expect(names.toSorted()).toEqual([ANY_KEY, ...toolsOf(scope)].toSorted())
  })

  it('has all tools for a key with every scope, and marks those that change something', async () => {
    const api = await useApp()
    const client = await connectMcp(api)

    const { tools } = await client.listTools()

    const all = Object.values(TOOLS_OF).flat()
    expect(tools.map(({ name }) => name).toSorted()).toEqual([ANY_KEY, ...all].toSorted())
    const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint)
    const writing = SCOPES.filter((scope) => scope.endsWith(':write'))
    expect(changing.map(({ name }) => name).toSorted()).toEqual(
      writing.flatMap((scope) => TOOLS_OF[scope] ?? []).toSorted(),
    )
    const deleting = tools.filter(({ annotations }) => annotations?.destructiveHint)
    expect(deleting.map(({ name }) => name).filter((name) => !name.endsWith('delete'))).toEqual([
      'cohorts-partial-update',
      'import-run-cancel',
      'import-backfill-cancel',
    ])
  })
})

describe('a call', () => {
  it('of a tool beyond the scopes of the key is refused', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Sales' })
    const reader = await api.as({ scopes: ['dashboard:read'] })
    const client = await connectMcp(api, reader.key)

    const refused = [
      await callTool(client, 'dashboard-update', { id, name: 'Changed' }),
      await callTool(client, 'dashboard-delete', { id }),
      await callTool(client, 'insights-list'),
    ]

    expect(refused).toMatchObject([
      { isError: true, value: "API key missing required scope 'dashboard:write'" },
      { isError: true, value: "API key missing required scope 'dashboard:write'" },
      { isError: true, value: "API key missing required scope 'insight:read'" },
    ])
    expect((await api.get(`dashboards/${id}`)).body).toMatchObject({
      name: 'Sales',
      deleted: false,
    })
  })

  it('cannot list persons by a query without the scope', async () => {
    const api = await useApp()
    const { key } = await api.as({ scopes: ['query:read'] })

    const { value } = await callTool(await connectMcp(api, key), 'query-run', {
      query: { kind: 'ActorsQuery' },
    })

    expect(value).toBe("API key missing required scope 'person:read'")
  })

  it('cannot change a dashboard that only collaborators may edit', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Sales', restriction_level: 37 })
    const { key } = await api.as({})

    const { isError, value } = await callTool(await connectMcp(api, key), 'dashboard-update', {
      id,
      name: 'Changed',
    })

    expect({ isError, value }).toEqual({ isError: true, value: expect.stringMatching(/edit/) })
  })

  it('stops working as soon as the key is revoked', async () => {
    const api = await useApp()
    const { key, userId } = await api.as({})
    const client = await connectMcp(api, key)
    expect((await callTool(client, 'projects-get')).isError).toBe(false)

    const keys = api.db.selectFrom('api_keys').select('id').where('user_id', '=', userId)
    await revokeApiKey(api.db, (await keys.executeTakeFirstOrThrow()).id)

    await expect(callTool(client, 'projects-get')).rejects.toThrow(/401|invalid/i)
  })
})

describe('a key of another project', () => {
  it('learns nothing about projects that it cannot access', async () => {
    const api = await useApp()
    const other = await api.createProject('Nightingale')
    const { body: hidden } = await api.post(api.path('dashboards', other), { name: 'Nightingale' })
    const owner = await api.as({
      ...{ level: 15, memberOf: [other, api.projectId], projects: [api.projectId] },
    })
    const client = await connectMcp(api, owner.key)

    const projects = await callTool(client, 'projects-get')
    const calls = [
      await callTool(client, 'dashboard-get', { id: hidden.id }),
      await callTool(client, 'dashboard-get', { id: hidden.id, project_id: other }),
      await callTool(client, 'dashboards-get-all', { search: 'Nightingale' }),
      await callTool(client, 'projects-get', { limit: 1000 }),
    ]

    expect(projects.value.results).toMatchObject([{ id: api.projectId }])
    expect(calls.slice(0, 2)).toMatchObject([
      { isError: true, value: 'Not found.' },
      {
        isError: true,
        value: `API key does not have access to the requested project: ID ${other}.`,
      },
    ])
    expect(JSON.stringify(calls)).not.toContain('Nightingale')
  })
})

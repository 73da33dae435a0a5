import { describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../../test/contract/world.ts'
import { CONFIGS, startApp, type TestApp } from '../../../test/support/app/app.ts'
import { type CalledTool, callTool, connectMcp } from '../../../test/support/app/mcp.ts'
import { above } from '../../../test/support/data/alerts.ts'
import { addVisits } from '../../../test/support/data/visits.ts'
import { TOOLS } from './tools/index.ts'

type Call = (world: World & { readonly api: TestApp }) => readonly [args: object, value: unknown]

const SERIES = { series: [{ event: 'visit' }] }
const lists = (item: unknown) => ({
  results: expect.arrayContaining([expect.objectContaining(item)]),
})

const CONNECTOR = {
  connector:
    'base_url: "{{url}}"\nstreams: [{ name: a, path: /llms.txt, to: { event: e, person: p } }]',
  plugin: { name: 'Shop', config: [{ key: 'url', type: 'string', address: true }] },
}

/** A call of every tool with the result that it must have; deletions come last. */
const CALLS: Readonly<Record<string, Call>> = {
  'projects-get': ({ project }) => [{ limit: 1000 }, lists({ id: project })],
  'event-definitions-list': () => [
    { search: 'visit', limit: 1 },
    { results: [{ name: 'visit', volume_30_day: 3 }] },
  ],
  'properties-list': () => [
    { event: 'visit' },
    lists({ name: '$browser', property_type: 'String' }),
  ],
  'property-values-list': () => [
    { key: '$browser' },
    { results: [{ value: 'Firefox', count: 3 }] },
  ],
  'query-trends': () => [
    { ...SERIES, trendsFilter: { display: 'BoldNumber' } },
    { results: [{ aggregated_value: 3 }] },
  ],
  'query-funnel': () => [
    { series: [{ event: 'visit' }, { event: 'order' }] },
    { results: [{ count: 3 }, { count: 0 }] },
  ],
  'query-retention': () => [
    { retentionFilter: { period: 'Day', totalIntervals: 3 } },
    { results: [{ label: 'Day 0' }, { label: 'Day 1' }, { label: 'Day 2' }] },
  ],
  'query-lifecycle': () => [SERIES, lists({ status: 'new' })],
  'query-stickiness': () => [SERIES, { results: [{ count: 3 }] }],
  'query-paths': () => [{}, { results: [] }],
  'query-web-overview': () => [{}, lists({ key: 'visitors' })],
  'query-web-stats-table': () => [{ breakdownBy: 'Page' }, { results: [] }],
  'query-web-goals': () => [{}, { results: [] }],
  'execute-sql': () => [
    { query: "select count() as visits from events where event = 'visit'" },
    { columns: ['visits'], results: [[3]] },
  ],
  'query-run': () => [
    { query: { kind: 'TrendsQuery', ...SERIES, trendsFilter: { display: 'BoldNumber' } } },
    { results: [{ aggregated_value: 3 }] },
  ],
  'insight-create': ({ dashboard }) => [
    { name: 'Orders', query: { kind: 'TrendsQuery', ...SERIES }, dashboards: [dashboard] },
    { name: 'Orders', dashboards: [dashboard] },
  ],
  'insights-list': () => [{ search: 'Orders' }, { count: 1, results: [{ name: 'Orders' }] }],
  'insight-get': ({ insight }) => [
    { id: insight },
    { id: insight, query: { kind: 'InsightVizNode' } },
  ],
  'insight-query': ({ insight }) => [{ id: insight }, { result: [{ aggregated_value: 3 }] }],
  'insight-update': ({ insight }) => [
    { id: insight, name: 'Visitors' },
    { id: insight, name: 'Visitors' },
  ],
  'dashboard-create': () => [
    { name: 'Sales', tiles: [{ text: { body: 'Hello' } }] },
    { name: 'Sales', tiles: [{ text: { body: 'Hello' } }] },
  ],
  'dashboards-get-all': ({ dashboard }) => [{ search: 'Copy' }, { results: [{ id: dashboard }] }],
  'dashboard-get': ({ dashboard, insight }) => [
    { id: dashboard },
    {
      tiles: expect.arrayContaining([
        expect.objectContaining({ insight: expect.objectContaining({ id: insight }) }),
      ]),
    },
  ],
  'dashboard-insights-run': ({ dashboard, insight }) => [
    { id: dashboard },
    {
      tiles: expect.arrayContaining([
        expect.objectContaining({
          insight: expect.objectContaining({
            id: insight,
            result: [expect.objectContaining({ aggregated_value: 3 })],
          }),
        }),
      ]),
    },
  ],
  'dashboard-update': ({ dashboard }) => [
    { id: dashboard, pinned: true },
    { id: dashboard, pinned: true },
  ],
  'dashboard-templates-list': ({ template }) => [
    { search: 'Own template' },
    { results: [{ id: template }] },
  ],
  'dashboard-templates-retrieve': ({ template }) => [
    { id: template },
    { id: template, tiles: expect.any(Array) },
  ],
  'public-links-list': ({ dashboard, link }) => [
    { dashboard_id: dashboard },
    lists({ id: link, label: 'Board' }),
  ],
  'insight-public-links-list': ({ insight, insightLink }) => [
    { insight_id: insight },
    lists({ id: insightLink, label: 'Board' }),
  ],
  'persons-list': () => [{ distinct_id: 'ada' }, { results: [{ distinct_ids: ['ada'] }] }],
  'persons-retrieve': ({ person }) => [{ id: person }, { distinct_ids: ['ada'] }],
  'persons-property-set': ({ person }) => [
    { id: person, key: 'plan', value: 'pro' },
    { properties: { plan: 'pro' } },
  ],
  'persons-property-delete': ({ person }) => [{ id: person, unset: 'plan' }, { properties: {} }],
  'persons-cohorts-retrieve': ({ person, cohort }) => [
    { person_id: person },
    { results: [{ id: cohort }] },
  ],
  'cohorts-create': () => [
    { name: 'Testers', is_static: true, distinct_ids: ['ada'] },
    { name: 'Testers', is_static: true },
  ],
  'cohorts-list': ({ cohort }) => [
    { search: 'Customers' },
    { results: [{ id: cohort, count: 1 }] },
  ],
  'cohorts-retrieve': ({ cohort }) => [{ id: cohort }, { id: cohort, name: 'Customers' }],
  'cohorts-partial-update': ({ cohort }) => [
    { id: cohort, name: 'Buyers' },
    { id: cohort, name: 'Buyers' },
  ],
  'action-create': () => [
    { name: 'Bought', steps: [{ event: 'order placed' }] },
    { name: 'Bought', steps: [{ event: 'order placed' }] },
  ],
  'actions-get-all': ({ action }) => [{ search: 'Visited' }, { results: [{ id: action }] }],
  'action-get': ({ action }) => [{ id: action }, { id: action, name: 'Visited' }],
  'action-update': ({ action }) => [
    { id: action, description: 'Any page' },
    { id: action, description: 'Any page' },
  ],
  'annotation-create': () => [
    { content: 'Deployed' },
    { content: 'Deployed', creation_type: 'GIT' },
  ],
  'annotations-list': () => [{ search: 'Deployed' }, { results: [{ content: 'Deployed' }] }],
  'annotation-retrieve': ({ annotation }) => [
    { id: annotation },
    { id: annotation, content: 'Launch' },
  ],
  'annotations-partial-update': ({ annotation }) => [
    { id: annotation, content: 'Start' },
    { content: 'Start' },
  ],
  'comments-list': ({ dashboard }) => [
    { item_id: dashboard },
    { results: [{ content: 'Why?', item_id: `${dashboard}` }] },
  ],
  'comments-create': ({ comment }) => [
    { content: 'Because', source_comment: comment },
    { content: 'Because', source_comment: comment },
  ],
  'comments-thread': ({ comment }) => [{ id: comment }, { results: [{ content: 'Because' }] }],
  'comments-update': ({ comment }) => [
    { id: comment, content: 'But why?' },
    { content: 'But why?', version: 1 },
  ],
  'comments-complete': ({ comment }) => [{ id: comment }, { id: comment }],
  'alert-create': ({ insight }) => [
    {
      insight,
      name: 'Many',
      ...above(9),
      targets: [{ type: 'webhook', url: 'https://example.com' }],
    },
    { insight: { id: insight }, name: 'Many', enabled: true },
  ],
  'alerts-list': ({ alert }) => [{}, lists({ id: alert.id })],
  'alert-get': ({ alert }) => [{ id: alert.id }, { id: alert.id, enabled: false }],
  'alert-update': ({ alert }) => [
    { id: alert.id, name: 'Few' },
    { id: alert.id, name: 'Few' },
  ],
  'alert-deliveries-list': ({ alert }) => [{ id: alert.id }, { results: [{ id: alert.delivery }] }],
  'import-apps-list': ({ plugin }) => [{ limit: 1000 }, lists({ id: plugin, name: 'Test app' })],
  'import-catalog-list': () => [{ search: 'stripe' }, lists({ name: 'Stripe' })],
  'connector-fetch': ({ api }) => [{ url: `${api.url}/llms.txt` }, { status: 200 }],
  'connector-test': ({ api }) => [
    { ...CONNECTOR, settings: { url: api.url } },
    { state: 'failed', message: expect.stringContaining('the response has no list') },
  ],
  'connector-save': () => [CONNECTOR, { name: 'Shop', plugin_type: 'source' }],
  'import-config-create': ({ plugin }) => [
    { plugin, name: 'Mine' },
    { plugin, name: 'Mine', enabled: false },
  ],
  'import-configs-list': ({ config }) => [{}, lists({ id: config })],
  'import-config-get': ({ config }) => [{ id: config }, { id: config, enabled: true }],
  'import-config-update': ({ config }) => [
    { id: config, name: 'Pages' },
    { id: config, name: 'Pages' },
  ],
  'import-settings-get': ({ config }) => [{ id: config }, { config_schema: expect.any(Array) }],
  'import-settings-update': ({ config }) => [
    { id: config, settings: { url: 'https://example.com/items' } },
    { settings: { url: 'https://example.com/items' } },
  ],
  'import-job-run': ({ config }) => [
    { id: config, dry_run: true },
    { config_id: config, dry_run: true },
  ],
  'import-runs-list': ({ config, run }) => [{ id: config }, lists({ id: run })],
  'import-run-get': ({ config, run }) => [
    { id: config, run_id: run },
    { id: run, config_id: config },
  ],
  'import-run-preview': ({ config, run }) => [
    { id: config, run_id: run },
    { events: [], skipped: [] },
  ],
  'import-run-cancel': ({ config, run }) => [
    { id: config, run_id: run },
    { id: run, state: 'cancelled' },
  ],
  'import-run-retry': ({ config, run }) => [
    { id: config, run_id: run },
    { retry_of: run, state: 'queued' },
  ],
  'import-logs-list': ({ config }) => [{ id: config }, { results: expect.any(Array) }],
  'import-health-list': ({ config }) => [{}, lists({ config_id: config, state: 'never_ran' })],
  'import-schedule-update': ({ config }) => [
    { id: config, schedule: { every: '2h' } },
    { schedule: { every: '2h' } },
  ],
  'import-schedule-get': ({ config }) => [{ id: config }, { schedule: { every: '2h' } }],
  'import-backfills-list': ({ config, backfill }) => [{ id: config }, lists({ id: backfill })],
  'import-backfill-pause': ({ config, backfill }) => [
    { id: config, backfill_id: backfill },
    { id: backfill, state: 'paused' },
  ],
  'import-backfill-resume': ({ config, backfill }) => [
    { id: config, backfill_id: backfill },
    { id: backfill, state: 'running' },
  ],
  'import-backfill-cancel': ({ config, backfill }) => [
    { id: config, backfill_id: backfill },
    { id: backfill, state: 'cancelled' },
  ],
  'import-backfill-create': ({ config }) => [
    { id: config, from: '2024-01-01', to: '2024-01-02' },
    { config_id: config, windows: 1, state: 'running' },
  ],
  'import-requests-list': ({ receiving }) => [
    { id: receiving.config },
    lists({ id: receiving.request, state: 'waiting' }),
  ],
  'import-request-replay': ({ receiving }) => [
    { id: receiving.config, request_id: receiving.request },
    { replayed: 0 }, // it waits for a worker
  ],
  'import-config-delete': ({ config }) => [{ id: config }, { id: config, deleted: true }],
  'alert-delete': ({ alert }) => [{ id: alert.id }, 'Done.'],
  'action-delete': ({ action }) => [{ id: action }, { id: action, deleted: true }],
  'comments-delete': ({ comment }) => [{ id: comment }, { id: comment, deleted: true }],
  'annotation-delete': ({ annotation }) => [{ id: annotation }, { id: annotation, deleted: true }],
  'public-link-delete': ({ dashboard, link }) => [
    { dashboard_id: dashboard, link_id: link },
    'Done.',
  ],
  'insight-public-link-delete': ({ insight, insightLink }) => [
    { insight_id: insight, link_id: insightLink },
    'Done.',
  ],
  'insight-delete': ({ insight }) => [{ id: insight }, { id: insight, deleted: true }],
  'dashboard-delete': ({ dashboard }) => [{ id: dashboard }, { id: dashboard, deleted: true }],
}

/** Their results are pictures. */
const PICTURES: Readonly<Record<string, Call>> = {
  'insight-picture': ({ insight }) => [{ id: insight, width: 300, height: 200 }, undefined],
  'dashboard-picture': ({ dashboard }) => [
    { id: dashboard, width: 300, scheme: 'dark' },
    undefined,
  ],
}

/** Starts an app of its own: lists of projects and import apps would be cut after those of other tests. */
async function start(): Promise<{ api: TestApp; world: World }> {
  const api = await startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1' })
  await addVisits(api, 3, { properties: { $browser: 'Firefox' } })
  const world = await createWorld(api)
  await api.patch(`${CONFIGS}/${world.receiving.config}`, { enabled: true })
  return { api, world }
}

describe('every tool', () => {
  it('has a call here', () => {
    const called = Object.keys({ ...CALLS, ...PICTURES })

    expect(called.toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted())
  })

  it('returns what the API returns', async () => {
    const { api, world } = await start()
    const client = await connectMcp(api)
    const results: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}

    for (const [name, toCall] of Object.entries(CALLS)) {
      const [args, value] = toCall({ ...world, api })
      results[name] = (await callTool(client, name, { ...args })).value
      expected[name] = value
    }

    expect(results).toMatchObject(expected)
  })

  it.each(Object.entries(PICTURES))('draws with %s', async (name, toCall) => {
    const { api, world } = await start()
    const client = await connectMcp(api)

    const { content, isError }: CalledTool = await callTool(client, name, {
      ...toCall({ ...world, api })[0],
    })

    expect(isError).toBe(false)
    expect(content).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
    const signature = Buffer.from(content[0].data, 'base64').subarray(1, 4).toString()
    expect(signature).toBe('PNG')
  })
})

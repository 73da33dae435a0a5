import { QUERY_KINDS } from '../../src/model/query-kinds/index.ts'

/** Sends a request to a server as its owner, and returns the body of the response. Throws if it is refused. */
export type Send = (
  method: string,
  path: string,
  body?: object | Blob,
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the response
) => Promise<any>

export const SECRET = 'the secret of the release'
const FILE = 'name,price\nhedge,12.5\n'
export const JOB = 'Report settings'
const CONFIGS = '/api/projects/1/pipeline_import_apps_configs'

/** Captures what it can read of its settings. */
const APP = `
export const jobs = {
  async '${JOB}'(payload, { config, attachments }) {
    const { contents } = attachments.file
    posthog.capture('settings read', { distinct_id: 'app', token: config.token, file: Buffer.from(contents).toString() })
  },
}`

/** Fills an installation with something of everything that an upgrade must keep. */
export async function fillRelease(send: Send): Promise<void> {
  await sendEvents(send)
  const first = await createDashboard(send)
  await send('POST', '/api/projects/1/cohorts', {
    name: 'Pro',
    filters: {
      properties: {
        type: 'OR',
        values: [
          {
            type: 'AND',
            values: [{ key: 'plan', type: 'person', value: 'pro', operator: 'exact' }],
          },
        ],
      },
    },
  })
  await send('POST', '/api/projects/1/annotations', {
    content: 'Launch',
    date_marker: '2026-01-05T00:00:00Z',
    scope: 'project',
  })
  await send('POST', '/api/projects/1/alerts', {
    insight: first,
    name: 'Few visits',
    calculation_interval: 'monthly',
    condition: { type: 'absolute_value' },
    threshold: { configuration: { type: 'absolute', bounds: { lower: 1 } } },
    targets: [{ type: 'webhook', url: 'https://hooks.example.com/hedgerow' }],
  })
  await send('POST', '/api/projects', { name: 'Second project' })
  await send('PATCH', '/api/projects/1/persons/ada', { properties: { city: 'Paris' } })
  await createConfig(send)
  await runJob(send)
}

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 1)

async function sendEvents(send: Send): Promise<void> {
  const visits = Array.from({ length: 90 }, (_, n) => ({
    event: n % 3 === 0 ? 'bought' : '$pageview',
    distinct_id: `visitor ${n % 7}`,
    properties: {
      price: n / 4,
      nested: { z: n % 2, a: [1, { c: 'ü😀' }] },
      $current_url: `https://example.com/${n % 4}`,
      $groups: { company: `company ${n % 3}` },
    },
  }))
  const batch = [
    ...visits,
    identify('ada', 'visitor 0', { plan: 'pro' }),
    identify('ben', 'visitor 1', { plan: 'free' }),
    {
      event: '$groupidentify',
      distinct_id: 'company',
      properties: { $group_type: 'company', $group_key: 'company 1', $group_set: { seats: 3 } },
    },
    { event: 'long', distinct_id: 'ben', properties: { text: 'x'.repeat(20_000) } },
  ].map((event, n) => ({
    ...event,
    uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    timestamp: new Date(START + (n % 28) * DAY_MS + n * 60_000).toISOString(),
  }))
  const { api_token } = await send('GET', '/api/projects/1')
  await send('POST', '/batch', { api_key: api_token, batch })
}

const identify = (distinct_id: string, $anon_distinct_id: string, $set: object) => ({
  event: '$identify',
  distinct_id,
  properties: { $anon_distinct_id, $set },
})

/** Creates a shared dashboard with an insight of every kind, and one in the trash. Returns the ID of the first insight. */
async function createDashboard(send: Send): Promise<number> {
  const dashboards = '/api/environments/1/dashboards'
  const { id } = await send('POST', dashboards, { name: 'Sales', tags: ['a', 'ü'] })
  const insights = []
  for (const { kind, newQuery } of QUERY_KINDS) {
    const query =
      kind === 'HogQLQuery'
        ? {
            kind,
            query: `select event, distinct_id, person_id, properties.nested, timestamp from events
              where timestamp >= '2026-01-10' and timestamp < '2026-01-20' order by timestamp, uuid limit 30`,
          }
        : { ...newQuery, dateRange: { date_from: '2026-01-01', date_to: '2026-01-31' } }
    insights.push(
      await send('POST', '/api/environments/1/insights', { name: kind, query, dashboards: [id] }),
    )
  }
  await send('PATCH', `${dashboards}/${id}/sharing`, { enabled: true })
  const gone = await send('POST', dashboards, { name: 'Gone' })
  await send('PATCH', `${dashboards}/${gone.id}`, { deleted: true })
  return insights[0].id
}

async function createConfig(send: Send): Promise<void> {
  const manifest = {
    name: 'Release app',
    config: [
      { key: 'token', type: 'string', secret: true },
      { key: 'file', type: 'attachment' },
    ],
    publicJobs: { [JOB]: { payload: {} } },
  }
  const files = { 'plugin.json': JSON.stringify(manifest), 'index.ts': APP }
  const plugins = '/api/organizations/@current/plugins'
  const plugin = await send('POST', plugins, { plugin_type: 'source', files })
  const { id } = await send('POST', CONFIGS, { plugin: plugin.id, enabled: true })
  await send('PATCH', `${CONFIGS}/${id}/settings`, { settings: { token: SECRET } })
  const file = new Blob([FILE], { type: 'text/csv' })
  await send('PUT', `${CONFIGS}/${id}/attachments/file?filename=prices.csv`, file)
}

/** Runs the app, which needs a worker, and returns the properties that it captured from its settings. */
export async function runJob(send: Send): Promise<unknown> {
  const [{ id }] = (await send('GET', CONFIGS)).results
  const run = await send('POST', `${CONFIGS}/${id}/job`, { job: { type: JOB, payload: {} } })
  for (let tries = 0; tries < 600; tries++) {
    const { state, message } = await send('GET', `${CONFIGS}/${id}/runs/${run.id}`)
    if (state === 'failed') throw new Error(`The run failed: ${message}`)
    if (state === 'succeeded') break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { results } = await send('GET', '/api/projects/1/events?event=settings%20read&limit=1')
  const { token, file } = results[0].properties
  return { token, file }
}

export const SETTINGS_READ = { token: SECRET, file: FILE }

import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { QUERY_KINDS } from '#model/query-kinds/index.ts'
import { loadAttachments } from '#server/features/import-apps/attachments/load.ts'
import { cohortOf, createCohort } from '../data/cohorts.ts'
import { createConfig } from '../data/configs.ts'
import { addEvents, doing, PERSONS, signingIn } from '../data/persons.ts'
import { CONFIGS, DASHBOARDS, type TestApp } from './app.ts'
import { sendBody } from './files.ts'
import { installPlugin } from './plugin.ts'

const MIB = 1024 * 1024

/** Fills an installation with something of everything. */
export async function fillInstallation(api: TestApp): Promise<void> {
  await addVisitors(api)
  await editPersons(api)
  await createCohort(
    api,
    cohortOf({ type: 'person', key: 'plan', value: 'pro', operator: 'exact' }),
  )
  const dashboard = await post(api, DASHBOARDS, { name: 'Sales', tags: ['a', 'ü'] })
  for (const query of queriesFrom('2026-01-01')) {
    await post(api, 'insights', { name: query.kind, query, dashboards: [dashboard.id] })
  }
  await post(api, 'annotations', {
    content: 'Launch',
    date_marker: '2026-01-05T00:00:00Z',
    scope: 'project',
  })
  const { body: names } = await api.get('event_definitions?search=bought')
  const details = { description: 'Money came in.', tags: ['core'], verified: true }
  await api.patch(`event_definitions/${names.results[0].id}`, details)
  const gone = await post(api, DASHBOARDS, { name: 'Gone' })
  await api.patch(`${DASHBOARDS}/${gone.id}`, { deleted: true })
  await addConfig(api)
  await api.withSession()
}

async function addVisitors(api: TestApp): Promise<void> {
  const events = Array.from({ length: 60 }, (_, n) =>
    doing(`visitor ${n % 7}`, {
      event: n % 3 === 0 ? 'bought' : 'visited',
      timestamp: new Date(Date.UTC(2026, 0, 1 + (n % 20), n % 24)).toISOString(),
      price: n / 4,
      nested: { z: n % 2, a: [1, { c: 'x' }] },
      $groups: { company: `company ${n % 3}` },
      $current_url: `https://example.com/${n % 4}`,
    }),
  )
  await addEvents(api, ...events, events[0] as (typeof events)[0])
  await addEvents(api, signingIn('ada', 'visitor 0', { plan: 'pro' }))
  await addEvents(api, signingIn('ada', 'visitor 1'))
  await addEvents(
    api,
    doing('long', { timestamp: '2026-01-03T00:00:00.000Z', text: 'ü😀'.repeat(9000) }),
  )
  await addEvents(
    api,
    doing('company', {
      event: '$groupidentify',
      $group_type: 'company',
      $group_key: 'company 1',
      $group_set: { seats: 3 },
    }),
  )
  await addEvents(api, signingIn('visitor 2', 'ada')) // refused: both are identified, so there is a warning
  await addEvents(api, doing('nobody', { $process_person_profile: false }))
}

async function editPersons(api: TestApp): Promise<void> {
  const patched = await api.patch(`${PERSONS}/ada`, { properties: { city: 'Paris' } })
  const again = await api.patch(`${PERSONS}/ada`, { properties: { city: 'Berlin' } })
  const split = await api.post(`${PERSONS}/ada/split`, { main_distinct_id: 'ada' })
  expect([patched.status, again.status, split.status]).toEqual([200, 200, 201])
}

async function addConfig(api: TestApp): Promise<void> {
  const fields = [
    { key: 'token', secret: true },
    { key: 'file', type: 'attachment' as const },
  ]
  const plugin = await installPlugin(api.db, { config_schema: fields as never })
  const { id } = await createConfig(api, { plugin, enabled: false })
  await api.patch(`${CONFIGS}/${id}/settings`, { settings: { token: 'hunter2' } })
  const path = `${CONFIGS}/${id}/attachments/file?filename=a.csv`
  const { status } = await sendBody(api, 'PUT', path, randomBytes(2 * MIB + 7))
  expect(status).toBe(200)
}

async function post(api: TestApp, path: string, body: object) {
  const created = await api.post(path, body)
  expect(created.status, created.text).toBe(201)
  return created.body
}

const DAYS = Array.from(
  { length: 29 },
  (_, index) => `2026-01-${String(index + 1).padStart(2, '0')}`,
)

/** A query of every kind, from a day on. */
const queriesFrom = (day: string) =>
  QUERY_KINDS.map(({ kind, newQuery }) =>
    kind === 'HogQLQuery'
      ? {
          kind,
          query: `select event, distinct_id, person_id, properties.nested, timestamp from events
            where timestamp >= '${day}' order by timestamp, distinct_id limit 100`,
        }
      : { ...newQuery, dateRange: { date_from: day, date_to: '2026-01-31' } },
  )

/**
 * Reads everything that `fillInstallation` created. Two installations with the same data give the same: results to the
 * byte, and records except for the order of properties.
 */
export async function readInstallation(api: TestApp) {
  const results = []
  for (const query of DAYS.flatMap(queriesFrom)) {
    const { status, body, text } = await api.post('/api/environments/1/query', { query })
    expect(status, text).toBe(200)
    results.push(JSON.stringify([query, body.results]))
  }
  const lists = []
  for (const path of LISTS) {
    const { status, body, text } = await api.get(path)
    expect(status, text).toBe(200)
    lists.push([path, body.results])
  }
  return { results, lists, config: await readConfig(api) }
}

const LISTS = [
  'insights?basic=true',
  'dashboards',
  'annotations',
  'actions',
  'saved_views',
  'event_definitions',
  'property_definitions',
  'cohorts',
  'persons',
  'groups?group_type_index=0',
  'groups_types',
  'ingestion_warnings',
  'events?limit=100',
  CONFIGS,
]

/** Decrypts the settings and the file. */
async function readConfig({ db, services: { secrets } }: TestApp) {
  const { id, settings } = await db
    .selectFrom('plugin_configs')
    .selectAll()
    .executeTakeFirstOrThrow()
  const { file } = await loadAttachments(db, secrets, id)
  const pieces = await Array.fromAsync(file?.read() ?? [])
  const sha256 = createHash('sha256').update(Buffer.concat(pieces)).digest('hex')
  return { settings: secrets.decryptText(settings), sha256 }
}

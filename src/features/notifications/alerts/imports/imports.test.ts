import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/support/app/app.ts'
import { startImportApp } from '../../../../../test/support/app/import-app.ts'
import { installPlugin } from '../../../../../test/support/app/plugin.ts'
import { ALERTS, above } from '../../../../../test/support/data/alerts.ts'
import { createInsight } from '../../../../../test/support/data/insights.ts'
import { type Receiver, startReceiver } from '../../../../../test/support/servers/receiver.ts'
import { until } from '../../../../../test/support/until.ts'

const ALL = ['failed', 'recovered', 'stale', 'skipped', 'schema_changed']
const PAST = '2020-01-01T00:00:00.000Z'

/** Does what its payload says. */
const OBEYS = `
  export const jobs = {
    async work({ n }, { utils }) {
      if (n === 1) throw new Error('No such shop')
      if (n === 2) utils.skip('no person', 'row')
      await posthog.capture('order', n === 3 ? { total: '1' } : { total: 1 })
    },
  }
`

const onImport = (body: object = {}) => ({
  source: { kind: 'import', config: 1 },
  on: ALL,
  targets: [{ type: 'webhook', url: 'https://hooks.example.com/hook' }],
  ...body,
})

async function startWatched(
  on = ALL,
): Promise<
  TestApp & Awaited<ReturnType<typeof startImportApp>> & { receiver: Receiver; alert: string }
> {
  const api = await startImportApp(OBEYS, { env: { HEDGEROW_APP_HOSTS: '127.0.0.1' } })
  const receiver = await startReceiver()
  const targets = [{ type: 'webhook', url: `${receiver.url}/hook` }]
  const { body } = await api.post(ALERTS, onImport({ on, targets }))
  return { ...api, receiver, alert: body.id }
}

type Watched = Awaited<ReturnType<typeof startWatched>>

/** Waits until the alert has been checked after all that happened so far. */
async function checked(api: Watched): Promise<void> {
  await api.services.alerts.checkDueImports(() => false)
}

const listEvents = async (api: Watched): Promise<string[]> =>
  (await api.get(`${ALERTS}/${api.alert}/deliveries`)).body.results
    .map(({ event }: { event: string }) => event)
    .reverse()

const makeLate = (api: Watched) =>
  api.db.updateTable('plugin_configs').set({ scheduled_from: PAST }).execute()

describe('an alert on an import', () => {
  it('is created, read back, listed and changed', { tags: 'sql' }, async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: await installPlugin(api.db, {}), name: 'Shop' })
    await api.post(CONFIGS, { plugin: await installPlugin(api.db, {}) })

    const { status, body } = await api.post(ALERTS, onImport({ on: ['failed', 'recovered'] }))

    expect([status, body]).toMatchObject([
      201,
      {
        source: { kind: 'import', config: 1 },
        on: ['failed', 'recovered'],
        insight: null,
        name: 'Shop',
        resource_name: 'Shop',
        state: 'Not firing',
      },
    ])
    const path = `${ALERTS}/${body.id}`
    expect((await api.get(`${ALERTS}?config=1`)).body.results).toMatchObject([{ id: body.id }])
    expect((await api.get(`${ALERTS}?config=2`)).body.count).toBe(0)
    const patched = await api.patch(path, { on: ['stale'], name: 'Late shop' })
    expect(patched.body).toMatchObject({ on: ['stale'], name: 'Late shop' })
    expect((await api.patch(path, patched.body)).body).toEqual(patched.body)
    const { body: log } = await api.get(`${path}/activity`)
    expect(log.results[0].detail.changes).toMatchObject([
      { field: 'on', before: ['failed', 'recovered'], after: ['stale'] },
      { field: 'name' },
    ])
    await api.delete(`${CONFIGS}/1`)
    expect((await api.get(path)).status).toBe(404)
  })

  it('sends one message when it fails and one when it works again', { tags: 'sql' }, async () => {
    const api = await startWatched()

    for (const n of [1, 1, 4, 4]) {
      await api.runJob('work', { n })
      await checked(api)
    }
    await until(() => api.receiver.received.length === 2)

    expect(await listEvents(api)).toEqual(['import.failed', 'import.recovered'])
    expect(api.receiver.received[0]?.body).toMatchObject({
      event: 'import.failed',
      import: { config: 1, name: 'Test app' },
      message: expect.stringContaining('No such shop'),
      since: expect.any(String),
      url: expect.stringMatching(/\/project\/1\/apps\/1$/),
    })
    expect((await api.get(`${ALERTS}/${api.alert}`)).body.state).toBe('Not firing')
  })

  it('tells of skipped rows and changed events', { tags: 'sql' }, async () => {
    const api = await startWatched()

    for (const n of [4, 2, 3, 3]) {
      await api.runJob('work', { n })
      await checked(api)
    }

    const [first, ...next] = await listEvents(api)
    expect(first).toBe('import.skipped')
    // the type is known before the run that ends the other incident has ended
    expect(next.toSorted()).toEqual(['import.recovered', 'import.schema_changed'])
    const { payload } = await api.db
      .selectFrom('deliveries')
      .select('payload')
      .where('event', '=', 'import.schema_changed')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(payload).message).toBe('order: "total" is text instead of number.')
  })

  it('tells that it is late, and no more when it then fails', { tags: 'sql' }, async () => {
    const api = await startWatched(['failed', 'stale'])
    await api.patch(`${CONFIGS}/1/schedule`, { expected_every: '1h' })
    await makeLate(api)
    await checked(api)
    expect(await listEvents(api)).toEqual(['import.stale'])
    expect((await api.get(`${ALERTS}/${api.alert}`)).body.state).toBe('Firing')

    await api.runJob('work', { n: 1 })
    await checked(api)

    expect(await listEvents(api)).toEqual(['import.stale'])
  })

  it('is silent while the import is disabled', async () => {
    const api = await startWatched()
    await api.runJob('work', { n: 1 })
    await checked(api)

    await api.patch(`${CONFIGS}/1`, { enabled: false })
    await checked(api)

    expect(await listEvents(api)).toEqual(['import.failed'])
    expect((await api.get(`${ALERTS}/${api.alert}`)).body.state).toBe('Not firing')
  })

  it('tells again after a snooze', async () => {
    const api = await startWatched()
    await api.runJob('work', { n: 1 })
    await checked(api)
    await api.patch(`${ALERTS}/${api.alert}`, { snoozed_until: '2999-01-01T00:00:00Z' })
    await checked(api)
    const columns = { snoozed_until: PAST, next_check_at: PAST }
    await api.db.updateTable('alerts').set(columns).execute()

    await checked(api)

    expect(await listEvents(api)).toEqual(['import.failed', 'import.failed'])
  })

  it('can be tested, in the words of a chat', async () => {
    const api = await startWatched()
    const targets = [{ type: 'webhook', url: `${api.receiver.url}/hook`, format: 'slack' }]
    await api.patch(`${ALERTS}/${api.alert}`, { targets })

    await api.post(`${ALERTS}/${api.alert}/test`)
    await until(() => api.receiver.received.length === 1)

    expect(api.receiver.received[0]?.body).toMatchObject({
      text: '[Test] Test app',
      blocks: [{ text: { text: 'This is a test of the alert on the import "Test app".' } }, {}, {}],
    })
  })

  it('does not see an import of another project', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: await installPlugin(api.db, {}) })
    const { body } = await api.post('/api/organizations/@current/projects', { name: 'Other' })

    const other = await api.post(`/api/projects/${body.id}/alerts`, onImport())

    expect([other.status, other.body]).toMatchObject([
      400,
      { code: 'does_not_exist', attr: 'source__config' },
    ])
  })

  it.each([
    [{ on: undefined }, 'on', 'This field is required.'],
    [{ on: ['recovered'] }, 'on', 'Name what to watch: failed, stale, skipped or schema_changed.'],
    [{ source: { kind: 'import' } }, 'source__config', 'This field is required.'],
    [
      { source: { kind: 'import', config: 9 } },
      'source__config',
      'Invalid pk "9" - object does not exist.',
    ],
    [
      { source: { kind: 'import', config: 1, insight: 1 } },
      'source__insight',
      'An alert on an import has no insight.',
    ],
    [above(2), 'condition', 'An alert on an import has no `condition`.'],
    [{ source: undefined }, 'on', 'Only an alert on an import has `on`.'],
    [{ source: undefined, on: undefined }, 'insight', 'This field is required.'],
    [{ on: [] }, 'on', expect.any(String)],
    [{ on: ['slow'] }, expect.stringMatching(/^on/), expect.any(String)],
  ])('refuses %j', async (body, attr, detail) => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: await installPlugin(api.db, {}) })

    const response = await api.post(ALERTS, onImport(body))

    expect([response.status, response.body]).toMatchObject([400, { attr, detail }])
  })

  it('refuses what belongs to the other kind in a change', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: await installPlugin(api.db, {}) })
    const { body } = await api.post(ALERTS, onImport())
    const insight = await createInsight(api, {})

    expect((await api.patch(`${ALERTS}/${body.id}`, { insight: insight.id })).body).toMatchObject({
      attr: 'insight',
      detail: 'An alert on an import has no `insight`.',
    })
  })
})

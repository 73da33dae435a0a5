import { describe, expect, it } from 'vitest'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { runMaintenance } from '#server/worker/maintenance.ts'
import { eventsBetween } from '../../../../apps/demo-data/events.ts'
import { createWorld, DAY, launchDayOf } from '../../../../apps/demo-data/world.ts'
import {
  CONFIGS,
  PROJECT,
  startApp,
  type TestApp,
  useApp,
} from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { ALERTS, above, COUNT_ORDERS, SUBSCRIPTIONS } from '../../../../test/support/data/alerts.ts'
import { ALL, newEvent } from '../../../../test/support/data/events.ts'
import { until } from '../../../../test/support/until.ts'
import { removeDemo } from './remove-demo.ts'

const DEMO = 'demo_data'

/** A condition of a cohort on an action. */
const DONE_ONCE = {
  type: 'behavioral',
  event_type: 'actions',
  value: 'performed_event',
  time_value: 30,
  time_interval: 'day',
}

const ownEvent = (distinct_id: string) =>
  newEvent({ distinct_id, properties: '{"$set":{"plan":"pro"}}' })

/** Loads demo data and stores some of its events, and events of the project's own users. */
async function load() {
  const api = await useApp()
  const { body: demo } = await api.post(DEMO)
  const today = Math.floor(Date.now() / DAY)
  const world = createWorld('hedgerow', 400, today)
  const generated = Array.from({ length: 90 }, (_, day) => [
    ...eventsBetween(world, day, 0, Date.now()),
  ]).flat()
  const demoEvents = generated.map(({ timestamp = '', properties, ...event }) =>
    newEvent({ ...event, timestamp, properties: JSON.stringify(properties) }),
  )
  const own = [ownEvent('ada'), ownEvent('own')]
  await api.services.events.append(api.projectId, [...demoEvents, ...own])
  return { api, demo, generated }
}

const listIds = async ({ services, projectId }: TestApp) =>
  (await services.events.list(projectId, ALL)).map(({ distinct_id }) => distinct_id).toSorted()

const isTrend = ({ query }: { query: { source: { kind: string } } }) =>
  query.source.kind === 'TrendsQuery'

/** Lists the insights whose alerts or subscriptions are enabled; null stands for a dashboard. */
async function listEnabled(api: TestApp, path: string): Promise<unknown[]> {
  const { body } = await api.get(path)
  const enabled = body.results.filter((each: { enabled: boolean }) => each.enabled)
  return enabled.map(({ insight }: { insight: { id: number } | number | null }) =>
    typeof insight === 'object' ? insight?.id : insight,
  )
}

const listCompanies = async (api: TestApp) =>
  (await api.get('groups?group_type_index=0')).body.results

const countIn = async (api: TestApp, path: string) => (await api.get(path)).body.count

describe('loading demo data', () => {
  it('adds the app, starts its import and creates dashboards', async () => {
    const api = await useApp()

    const { status, body } = await api.post(DEMO)

    expect(status).toBe(200)
    expect(body.run).toMatchObject({ state: 'queued', name: 'Generate events' })
    expect((await api.get(`${CONFIGS}/${body.config_id}`)).body).toMatchObject({ enabled: true })
    expect((await api.get(PROJECT)).body.is_demo).toBe(true)
    const names = ['Imports and revenue', 'SaaS product', 'Website']
    const { body: list } = await api.get('dashboards')
    expect(list.results.map(({ name }: { name: string }) => name)).toEqual(names)
    for (const id of body.dashboard_ids) {
      const { body: dashboard } = await api.get(`dashboards/${id}`)
      expect(dashboard).toMatchObject({ pinned: true, is_shared: id === body.dashboard_id })
      expect(dashboard.tiles.length).toBeGreaterThan(8)
    }
  })

  it('adds an annotation on the day of the launch, an alert, a subscription, a cohort and an action', async () => {
    const api = await useApp()

    const { body: demo } = await api.post(DEMO)

    const [annotation] = (await api.get('annotations')).body.results
    const launch = launchDayOf(Math.floor(Date.now() / DAY)) * DAY
    expect(annotation).toMatchObject({
      scope: 'project',
      content: expect.stringMatching('launched'),
    })
    expect(Math.floor(Date.parse(annotation.date_marker) / DAY) * DAY).toBe(launch)
    const [alert] = (await api.get(ALERTS)).body.results
    expect(alert).toMatchObject({ enabled: true, insight: { name: 'Revenue' } })
    expect((await api.get('cohorts')).body.results).toMatchObject([{ name: 'Power users' }])
    expect((await api.get('actions')).body.results).toMatchObject([{ name: 'Got started' }])
    expect((await api.get(SUBSCRIPTIONS)).body.results).toMatchObject([
      { enabled: true, dashboard: demo.dashboard_id, frequency: 'weekly' },
    ])
  })

  it('adds past runs with logs and metrics, of which one failed and was retried', async () => {
    const api = await useApp()
    const { body: demo } = await api.post(DEMO)
    const config = `${CONFIGS}/${demo.config_id}`

    const { results: runs } = (await api.get(`${config}/runs?limit=100`)).body

    const failed = runs.filter(({ state }: Run) => state === 'failed')
    expect(runs.length).toBeGreaterThan(48)
    expect(failed).toHaveLength(1)
    expect(runs.find(({ retry_of }: Run) => retry_of === failed[0].id)).toMatchObject({
      state: 'succeeded',
    })
    const logs = await api.get(`${config}/logs?type_filter=ERROR`)
    expect(logs.body.results).toMatchObject([{ run_id: failed[0].id }])
    const { last_24_hours } = (await api.get(`${config}/metrics`)).body
    expect(last_24_hours.filter(({ events }: Run) => events > 0).length).toBeGreaterThan(20)
  })

  it('fires the alert once its events are there', async () => {
    const api = await useApp()
    const { body: demo } = await api.post(DEMO)
    const properties = '{"amount":6000}'
    const timestamp = new Date().toISOString()
    const invoice = newEvent({ event: 'invoice_paid', timestamp, properties })
    await api.services.events.append(api.projectId, [invoice])

    await api.get(`dashboards/${demo.dashboard_ids[2]}?refresh=blocking`)

    const [alert] = await until(async () => {
      const { results } = (await api.get(ALERTS)).body
      return results[0].state === 'Firing' && results
    })
    expect(alert.last_value).toBe(6000)
  })

  it('keeps what is already there', async () => {
    const api = await useApp()
    const { body: first } = await api.post(DEMO)

    const { body: second } = await api.post(DEMO)

    expect(second).toEqual(first)
    expect(await countIn(api, CONFIGS)).toBe(1)
    expect(await countIn(api, 'dashboards')).toBe(3)
    expect(await countIn(api, ALERTS)).toBe(1)
    expect(await countIn(api, 'cohorts')).toBe(1)
    expect(await countIn(api, 'actions')).toBe(1)
    expect(await countIn(api, SUBSCRIPTIONS)).toBe(1)
    expect(await countIn(api, 'annotations')).toBe(1)
  })

  it('is for admins', async () => {
    const member = await (await useApp()).as({})

    expect((await member.post(DEMO)).status).toBe(403)
    expect((await member.delete(DEMO)).status).toBe(403)
  })
})

describe('removing demo data', () => {
  it('leaves nothing that loading it has created, and everything else', {
    tags: 'sql',
  }, async () => {
    const { api, demo, generated } = await load()
    await api.post('insights', { name: 'Own insight' })
    expect(generated.length).toBeGreaterThan(300)
    expect(await countIn(api, 'persons')).toBeGreaterThan(2)
    expect(await listCompanies(api)).not.toEqual([])
    const { body: sharing } = await api.get(`dashboards/${demo.dashboard_id}/sharing`)
    const link = `/shared/${sharing.access_token}.json`
    expect((await api.get(link)).status).toBe(200)

    expect((await api.delete(DEMO)).status).toBe(204)

    expect(await listIds(api)).toEqual(['ada', 'own'])
    expect(await listCompanies(api)).toEqual([])
    expect(await countIn(api, CONFIGS)).toBe(0)
    expect(await countIn(api, `${CONFIGS}?deleted=true`)).toBe(0)
    for (const list of ['dashboards', ALERTS, SUBSCRIPTIONS, 'cohorts', 'actions', 'annotations']) {
      expect(await countIn(api, list), list).toBe(0)
    }
    expect((await api.get(link)).status).toBe(404)
    const { body: insights } = await api.get('insights')
    expect(insights.results.map(({ name }: { name: string }) => name)).toEqual(['Own insight'])
    expect((await api.get(`dashboards/${demo.dashboard_id}`)).body.deleted).toBe(true)
    expect((await api.get(PROJECT)).body.is_demo).toBe(false)
  })

  it('keeps an action of its own, and one that a cohort counts', async () => {
    const api = await useApp()
    const { body: own } = await api.post('actions', { name: 'Got started' })
    await api.post(DEMO)
    expect((await api.get('actions')).body.results).toMatchObject([{ id: own.id }])
    await api.patch(`actions/${own.id}`, { name: 'Ours' })
    await api.post(DEMO)
    const { body: demo } = await api.get('actions?search=Got')
    const values = [{ ...DONE_ONCE, key: demo.results[0].id }]
    const filters = { properties: { type: 'AND', values } }
    expect((await api.post('cohorts', { name: 'Starters', filters })).status).toBe(201)

    expect((await api.delete(DEMO)).status).toBe(204)

    expect(await countIn(api, 'actions')).toBe(2)
    expect((await api.get('cohorts')).body.results).toMatchObject([{ name: 'Starters' }])
  })

  it('disables the alerts and subscriptions of what it moves to the trash, and no others', async () => {
    const api = await useApp()
    const { body: demo } = await api.post(DEMO)
    const { body: insights } = await api.get('insights')
    const shown = insights.results.find(isTrend).id
    const { body: own } = await api.post('insights', { name: 'Own', query: COUNT_ORDERS })
    const url = 'https://example.com/hook'
    const target = { frequency: 'daily', target_type: 'webhook', target_value: url }
    for (const insight of [shown, own.id]) {
      const targets = [{ type: 'webhook', url }]
      await api.post(ALERTS, { ...above(2), insight, targets })
      await api.post(SUBSCRIPTIONS, { ...target, insight })
    }
    await api.post(SUBSCRIPTIONS, { ...target, dashboard: demo.dashboard_id })

    await api.delete(DEMO)

    expect(await listEnabled(api, ALERTS)).toEqual([own.id])
    expect(await listEnabled(api, SUBSCRIPTIONS)).toEqual([own.id])
  })

  it('removes the persons who have no other events', async () => {
    const { api, generated } = await load()
    const known = generated.find(({ event }) => event === '$identify')?.distinct_id ?? ''
    await api.services.events.append(api.projectId, [ownEvent(known)])

    await api.delete(DEMO)

    expect(await listIds(api)).toEqual(['ada', 'own', known].toSorted())
    const { body } = await api.get('persons')
    const ids = body.results.flatMap(({ distinct_ids }: { distinct_ids: string[] }) => distinct_ids)
    expect(ids.toSorted()).toEqual(['ada', 'own', known].toSorted())
    expect(await countEvents(api)).toBe(3)
  })

  it('can be repeated, and does nothing without demo data', async () => {
    const { api } = await load()
    await api.delete(DEMO)

    expect((await api.delete(DEMO)).status).toBe(204)

    expect(await listIds(api)).toEqual(['ada', 'own'])
    const untouched = await useApp()
    expect((await untouched.delete(DEMO)).status).toBe(204)
  })

  it('is finished by maintenance if the server dies before the events are deleted', async () => {
    const { api } = await load()
    const { events, storage } = api.services
    const dead = { ...events, deleteByProperty: () => Promise.reject(new Error('killed')) }
    const caller = {
      projectId: api.projectId,
      userId: 1,
      level: 15,
      isViewer: false,
      scopes: new Set<string>(),
    }
    await expect(removeDemo({ db: storage.db, events: dead }, caller)).rejects.toThrow('killed')
    expect((await listIds(api)).length).toBeGreaterThan(2)

    await runMaintenance(storage.db, events)

    expect(await listIds(api)).toEqual(['ada', 'own'])
  })

  it('can be followed by loading it again', async () => {
    const { api, demo } = await load()
    await api.delete(DEMO)

    const { body: again } = await api.post(DEMO)

    expect(again.config_id).not.toBe(demo.config_id)
    expect(again.dashboard_id).not.toBe(demo.dashboard_id)
    await runMaintenance(api.db, api.services.events)
    expect((await api.get(PROJECT)).body.is_demo).toBe(true)
  })

  it('stops the import first', async () => {
    const api = await startApp()
    startTestWorker(api)
    const { body: demo } = await api.post(DEMO)
    const run = `${CONFIGS}/${demo.config_id}/runs/${demo.run.id}`
    await until(async () => (await api.get(run)).body.progress.done > 0)

    expect((await api.delete(DEMO)).status).toBe(204)

    expect(await listIds(api)).toEqual([])
    expect(await countIn(api, 'persons')).toBe(0)
  })
})

async function countEvents(api: TestApp): Promise<number> {
  const query = { kind: 'HogQLQuery', query: 'select count() from events' }
  return (await api.post('query', { query })).body.results[0][0]
}

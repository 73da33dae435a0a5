import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEventStore } from '#server/analytics/open.ts'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { compileApp } from '#server/runtime/compile.ts'
import { CONFIGS } from '../support/app/app.ts'
import {
  type Environment,
  type Server,
  startServer,
  startWorkerProcess,
  toEnv,
} from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { installPlugin } from '../support/app/plugin.ts'
import { SHARED_DATABASE, storageOptions } from '../support/app/storage.ts'
import { untilShipped } from '../support/data/events.ts'
import { type Noticing, startProxy } from '../support/servers/proxy.ts'
import { until } from '../support/until.ts'
import { startClients } from './many-servers-clients.ts'

const APP = `
  export const jobs = {
    async work(payload, meta) {
      await meta.utils.sleep(20)
      await posthog.capture('worked', { distinct_id: 'app', n: payload.n })
    },
  }
`

describe(`three servers and three workers on ${SHARED_DATABASE} behind a proxy`, () => {
  it.each([
    ['that polls their readiness', 'readiness', { HEDGEROW_STOP_DELAY: '3s' }],
    ['that passes refused connections on', 'refusals', {}],
  ] as const)('%s restart one by one without a failed request', async (_, noticing, settings) => {
    const options = await storageOptions(SHARED_DATABASE)
    const { db, close } = await openStorage(options)
    onTestFinished(close)
    const { servers, proxy, restart } = await startCluster(
      { ...toEnv(options), ...settings },
      noticing,
    )
    const [first] = servers as [Server]
    const { body: project } = await first.call(OWNER.apiKey, '')
    const configs = await createConfigs(db, first)
    const clients = startClients({ url: proxy.url, token: project.api_token, configs })
    await clients.untilAllWork()

    for (const member of servers.keys()) await restart(member)
    await clients.untilAllWork()
    await clients.stop()
    await until(async () => (await listRuns(db)).every(({ finished_at }) => finished_at))

    expect(clients.failures).toEqual([])
    expect(proxy.counts().every((count) => count > 100)).toBe(true)
    const listEvents = await openEvents(options, db)
    const uuids = (await listEvents('visited')).map(({ uuid }) => uuid)
    expect(uuids.toSorted()).toEqual(clients.events.toSorted())
    const jobs = (await listEvents('worked')).map(({ properties }) => JSON.parse(properties).n)
    expect(jobs.toSorted((a, b) => a - b)).toEqual(clients.jobs)
    await expectCountedEverywhere(servers, clients.events.length)
    const runs = await listRuns(db)
    expect(runs.filter(({ state, attempt }) => state !== 'succeeded' || attempt > 1)).toEqual([])
    expect(runs).toHaveLength(clients.jobs.length)
    await expectRevokedEverywhere(servers)
  })
})

/** Starts servers and workers, and a proxy that knows the servers by their ports. */
async function startCluster(env: Environment, noticing: Noticing) {
  const members = [1, 2, 3]
  const servers = await Promise.all(members.map(() => startServer(env, '--no-worker')))
  const workers = await Promise.all(members.map(() => startWorkerProcess(env)))
  const proxy = await startProxy(
    servers.map(({ url }) => url),
    noticing,
  )

  async function restart(member: number): Promise<void> {
    const server = servers[member] as Server
    expect(await server.stop()).toBe(0)
    // with the engine of the tests, which runs one statement at a time, some connections outlast the wait for them
    if (SHARED_DATABASE === 'postgres')
      expect(server.stderr()).not.toContain('closing the remaining connections')
    const HEDGEROW_PORT = new URL(server.url).port
    servers[member] = await startServer({ ...env, HEDGEROW_PORT }, '--no-worker')
    await until(() => proxy.isUp(server.url))
    const worker = workers[member]
    worker?.kill('SIGTERM')
    expect(worker && (await once(worker, 'exit'))).toEqual([0, null])
    workers[member] = await startWorkerProcess(env)
  }
  return { servers, proxy, restart }
}

async function createConfigs(db: Db, server: Server): Promise<number[]> {
  const plugin = await installPlugin(db, {
    code: await compileApp({ 'index.ts': APP }, 'index.ts'),
    public_jobs: { work: { payload: { n: { type: 'number' } } } },
  })
  const ids: number[] = []
  for (let created = 0; created < 5; created++) {
    const { body } = await server.call(OWNER.apiKey, CONFIGS, 'POST', { plugin, enabled: true })
    ids.push(body.id)
  }
  return ids
}

const listRuns = (db: Db) => db.selectFrom('runs').selectAll().execute()

/** Returns a function that lists all events with a name, when they have reached their store. */
async function openEvents(options: StorageOptions, db: Db) {
  const store = openEventStore({ ...options, db })
  onTestFinished(() => store.close())
  if (options.clickHouse) await untilShipped(db)
  return (event: string) => store.list(1, { event, limit: 1_000_000, offset: 0 })
}

/** Expects a query to count the events of clients, at each server. */
async function expectCountedEverywhere(servers: readonly Server[], count: number): Promise<void> {
  const query = {
    kind: 'HogQLQuery',
    query: "select count() from events where event = 'visited'",
  }
  for (const server of servers) {
    const { body } = await server.call(OWNER.apiKey, 'query', 'POST', { query })
    expect(body.results).toEqual([[count]])
  }
}

/** Revokes a key at one server and expects each of them to refuse it. */
async function expectRevokedEverywhere(servers: readonly Server[]): Promise<void> {
  const keys = '/api/personal_api_keys'
  for (const server of servers) {
    const { body: key } = await server.call(OWNER.apiKey, keys, 'POST', {
      label: 'Revoked',
      scopes: ['*'],
    })
    const look = () => Promise.all(servers.map((one) => one.call(key.value, '/api/projects')))
    expect((await look()).map(({ status }) => status)).toEqual([200, 200, 200])

    await server.call(OWNER.apiKey, `${keys}/${key.id}`, 'DELETE')

    expect((await look()).map(({ status }) => status)).toEqual([401, 401, 401])
  }
}

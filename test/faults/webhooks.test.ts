import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { inSeconds } from '#server/db/values.ts'
import { pruneRequests } from '#server/features/import-apps/webhooks/store.ts'
import { CONFIGS } from '../support/app/app.ts'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { PLUGINS, sourceOf } from '../support/app/plugin.ts'
import { storageOptions } from '../support/app/storage.ts'
import { endLeases } from '../support/data/runs.ts'
import { insertRequests } from '../support/data/webhooks.ts'
import { until } from '../support/until.ts'
import { isFull } from '../support/vitest/effort.ts'

const WEBHOOK = 5
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBzZW5kZXI='
const SENDERS = 4
const KILLS = isFull ? 100 : 2
const SENT_EACH = 40
/** While no worker runs, to each of two configs: more than one batch of the app. */
const WAITING = isFull ? 3000 : 120
/** More than this may not wait. */
const MAX_WAITING = 500_000
/** The fewest that a config can keep once they are handled. */
const FEWEST_KEPT = 100

/** Counts the requests that it gets. */
const COUNTS = `
  export async function onRequest({ body: { n } }, { utils }) {
    posthog.capture('counted', { n, turn: await utils.cursor.increment('turns') })
  }
`

interface Receiver {
  /** Sends a delivery, and tells whether the server has acknowledged it. */
  send(n: number): Promise<boolean>
  // biome-ignore lint/suspicious/noExplicitAny: responses are only inspected
  call(path: string, method?: string, body?: object): Promise<any>
  /** Counts the events, and the deliveries that have one. */
  countStored(): Promise<[events: number, deliveries: number]>
}

/** Uses the server that runs now. */
function createReceiver(server: () => Server): Receiver & { add(): Promise<void> } {
  let address = ''
  const call: Receiver['call'] = async (path, method, body) =>
    (await server().call(OWNER.apiKey, path, method, body)).body
  return {
    call,
    async add() {
      await call(CONFIGS, 'POST', { plugin: WEBHOOK, enabled: true })
      const settings = { verify: 'standard-webhooks', secret: SECRET, event: 'kind' }
      await call(`${CONFIGS}/1/settings`, 'PATCH', { settings })
      address = (await call(`${CONFIGS}/1/address`)).path
    },
    async send(n) {
      const body = JSON.stringify({ kind: 'sent', n })
      const now = new Date()
      const headers = {
        'content-type': 'application/json',
        'webhook-id': `msg_${n}`,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(SECRET).sign(`msg_${n}`, now, body),
      }
      const sent = fetch(server().url + address, { method: 'POST', headers, body })
      return sent.then(
        ({ status }) => status === 200,
        () => false, // killed
      )
    },
    async countStored() {
      const query = 'select count(), uniq(properties.n) from events'
      const { results } = await call('query', 'POST', { query: { kind: 'HogQLQuery', query } })
      return results[0]
    },
  }
}

/** Sends deliveries again until they are acknowledged, as services do, and never more than are released. */
function startSenders({ send }: Receiver, total: number) {
  let released = 0
  let acknowledged = 0
  let repeated = 0
  const awaited = new Map<number, PromiseWithResolvers<void>>()
  const work = async (sender: number) => {
    for (let n = sender; n < total; n += SENDERS) {
      await until(() => n < released, 300)
      let attempts = 0
      await until(() => {
        attempts++
        return send(n)
      }, 120)
      acknowledged++
      awaited.get(acknowledged)?.resolve()
      if (attempts > 1) repeated++
    }
  }
  return {
    ended: Promise.all(Array.from({ length: SENDERS }, (_, sender) => work(sender))),
    release: (count: number) => {
      released += count
    },
    /** Resolves at once when this many are acknowledged, while others are being sent. */
    reach(count: number): Promise<void> {
      if (acknowledged >= count) return Promise.resolve()
      const reached = Promise.withResolvers<void>()
      awaited.set(count, reached)
      return reached.promise
    },
    repeated: () => repeated,
  }
}

describe.each(isFull ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const))(
  'webhooks on %s',
  (database) => {
    it('store each acknowledged delivery once, however often the server is killed', {
      timeout: 1_800_000,
    }, async () => {
      const options = await storageOptions(database)
      let server = await startServer(toEnv(options))
      const receiver = createReceiver(() => server)
      await receiver.add()
      const total = KILLS * SENT_EACH
      const senders = startSenders(receiver, total)

      for (let kill = 0; kill < KILLS; kill++) {
        const before = kill * SENT_EACH
        senders.release(SENT_EACH)
        // in turns, a kill hits deliveries that arrive, and some that are handled
        if (kill % 2 === 0) await senders.reach(before + SENT_EACH / 4)
        else await until(async () => (await receiver.countStored())[1] > before, 120)
        await server.stop('SIGKILL')
        await endLeases(options)
        server = await startServer(toEnv(options))
        await senders.reach(before + SENT_EACH)
      }
      await senders.ended
      await until(async () => (await receiver.countStored())[1] === total, 120)

      expect(await receiver.countStored()).toEqual([total, total])
      expect(senders.repeated()).toBeGreaterThan(0)
      if (isFull) expect(await countRestartedRuns(options)).toBeGreaterThan(0)
    })

    it('wait for a worker, and lose neither an event nor its order nor its time', async () => {
      const options = await storageOptions(database)
      let server = await startServer(toEnv(options), '--no-worker')
      const call = async (path: string, method?: string, body?: object) =>
        (await server.call(OWNER.apiKey, path, method, body)).body
      const { id: plugin } = await call(PLUGINS, 'POST', sourceOf(COUNTS, { receives: {} }))
      const addresses: string[] = []
      for (const id of [1, 2]) {
        await call(CONFIGS, 'POST', { plugin, enabled: true })
        const kept = { keep_days: 1, keep_requests: FEWEST_KEPT }
        const { path } = await call(`${CONFIGS}/${id}/address`, 'PATCH', kept)
        addresses.push(server.url + path)
      }
      const send = async (address: string) => {
        for (let n = 0; n < WAITING; n++) {
          const { status } = await fetch(address, { method: 'POST', body: JSON.stringify({ n }) })
          expect(status).toBe(200)
        }
      }
      await Promise.all(addresses.map(send))
      await server.stop()

      const arrivedAt = await moveBack(options, 600)
      server = await startServer(toEnv(options))
      const query = `select count(), countIf(properties.n = properties.turn - 1),
        uniq(properties.n), max(timestamp) from events`
      const readStored = async () =>
        (await call('query', 'POST', { query: { kind: 'HogQLQuery', query } })).results[0]
      await until(async () => (await readStored())[0] >= 2 * WAITING, 120)

      const [stored, inTurn, numbers, lastTime] = await readStored()
      expect([stored, inTurn, numbers]).toEqual([2 * WAITING, 2 * WAITING, WAITING])
      expect(Date.parse(lastTime)).toBeLessThanOrEqual(Date.parse(arrivedAt))
      for (const id of [1, 2]) {
        const failed = await call(`${CONFIGS}/${id}/requests?state=failed`)
        expect(failed).toMatchObject({ count: 0 })
      }
    })

    it.runIf(isFull)('are refused while half a million wait, until there is room', async () => {
      const options = await storageOptions(database)
      const server = await startServer(toEnv(options), '--no-worker')
      const receiver = createReceiver(() => server)
      await receiver.add()
      const { db, close } = await openStorage(options)
      await insertRequests(db, MAX_WAITING, 'waiting')
      const { path } = await receiver.call(`${CONFIGS}/1/address`)
      await receiver.call(`${CONFIGS}/1/settings`, 'PATCH', { settings: { verify: 'none' } })
      const send = () => fetch(server.url + path, { method: 'POST', body: '{}' })

      const refused = await send()

      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await refused.json()).toMatchObject({ code: 'unavailable' })
      await db.deleteFrom('webhook_states').where('id', '<', 10).execute()
      await close()
      await until(async () => (await send()).status === 200)
    })
  },
)

async function countRestartedRuns(options: StorageOptions): Promise<number> {
  const { db, close } = await openStorage(options)
  const runs = await db.selectFrom('runs').select('id').where('attempt', '>', 1).execute()
  await close()
  return runs.length
}

/** Lets what waits have arrived some seconds earlier, after an hour's maintenance. Returns the time of the last. */
async function moveBack(options: StorageOptions, seconds: number): Promise<string> {
  const { db, close } = await openStorage(options)
  const at = inSeconds(-seconds)
  await db.updateTable('webhook_requests').set({ received_at: at }).execute()
  await db.updateTable('runs').set({ created_at: at, run_at: at }).execute()
  await pruneRequests(db)
  await close()
  return at
}

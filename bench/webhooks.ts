import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { addConfig, CONFIGS, call } from './api.ts'
import { drive } from './drive.ts'
import { onFreshServer } from './fresh-server.ts'
import type { Running } from './processes.ts'
import { listRounds, ofRounds, type Result, toText } from './result.ts'
import type { Request } from './scenarios.ts'

const WEBHOOK_APP = 5
const SECRET = 'secret of the sender'
const RATE = 500
const BYTES = 4096
const CONNECTIONS = 32
const ROUNDS = 3
const SECONDS = 8
/** The number of different bodies, which must fit into the argument of the load. */
const BODIES = 20

type Say = (text: string) => void

/**
 * Measures requests of another service that come at a fixed rate: each is verified and stored before the response. The
 * server, its worker and the app share one core.
 */
export const measureWebhooks = (say: Say): Promise<Result[]> =>
  onFreshServer(say, (server) => measure(server, say))

async function measure(server: Running, say: Say): Promise<Result[]> {
  const settings = { verify: 'github', secret: SECRET, event: 'type', distinct_id: 'person' }
  const config = await addConfig(server, WEBHOOK_APP, settings)
  const { path } = await call(server, 'GET', `${CONFIGS}/${config}/address`)
  const load = { url: server.url, requests: toRequests(path), connections: CONNECTIONS, rate: RATE }
  const latencies: number[] = []
  const sent: number[] = []
  const rates: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const startedAt = performance.now()
    const { rate, p99 } = await drive({ ...load, seconds: SECONDS })
    const waiting = await countWaiting(server, config)
    while ((await countWaiting(server, config)) > 0) await wait(20)
    const seconds = (performance.now() - startedAt) / 1000
    say(`webhooks: ${toText(rate)} req/s, p99 ${toText(p99)} ms, ${waiting} waited at the end`)
    if (round < 0) continue // the first round compiles
    latencies.push(p99)
    sent.push(rate)
    rates.push((rate * SECONDS) / seconds)
  }
  return [
    {
      subject: 'webhooks',
      what: `${RATE} requests of 4 kB a second on one core: p99`,
      ...ofRounds(latencies),
      unit: 'ms',
      goal: { atMost: 25 },
      detail: `${listRounds(latencies)} ms at ${listRounds(sent)} req/s; signed as GitHub does, ${CONNECTIONS} connections`,
      generator: 'autocannon',
    },
    {
      subject: 'webhooks',
      what: 'of these, stored as events by the app',
      ...ofRounds(rates),
      unit: '/s',
      detail: `until the last was handled: ${listRounds(rates)} /s`,
      generator: 'autocannon',
    },
  ]
}

const countWaiting = async (server: Running, config: number): Promise<number> =>
  (await call(server, 'GET', `${CONFIGS}/${config}/requests?state=waiting&limit=1`)).count

const toRequests = (path: string): Request[] =>
  Array.from({ length: BODIES }, (_, index) => {
    const known = { type: 'order paid', person: `user${index}@example.com`, total: index * 1.5 }
    const body = JSON.stringify({ ...known, note: 'x'.repeat(BYTES - 90) })
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    return {
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    }
  })

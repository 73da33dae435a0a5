import { setTimeout as wait } from 'node:timers/promises'
import { signEmbed } from '../test/support/data/embeds.ts'
import { call, readToken } from './api.ts'
import { drive } from './drive.ts'
import { startHedgerow } from './processes.ts'
import { listRounds, ofTurns, type Result, toLine } from './result.ts'
import { seed } from './seed.ts'

const EVENTS = 2000
const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 8

const TILES = Array.from({ length: 6 }, (_, n) => ({
  layouts: { sm: { x: (n % 2) * 6, y: Math.floor(n / 2) * 5, w: 6, h: 5 } },
  insight: {
    name: `Event ${n}`,
    query: {
      kind: 'InsightVizNode',
      source: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: `event ${n}` }],
        dateRange: { date_from: '-30d' },
      },
    },
  },
}))

/** Measures what locked filters add to the cost of a shared page whose results are cached. */
export async function measureEmbeds(
  dataFolder: string,
  say: (text: string) => void,
): Promise<Result[]> {
  await seed(dataFolder, 1)
  const server = await startHedgerow(dataFolder)
  try {
    const batch = Array.from({ length: EVENTS }, (_, n) => ({
      ...{ event: `event ${n % 6}`, distinct_id: `person ${n % 100}` },
      properties: { tenant: n % 2 === 0 ? 'acme' : 'globex' },
    }))
    await call(server, 'POST', '/batch', { api_key: await readToken(server), batch })
    const here = '/api/environments/1/dashboards'
    const { id } = await call(server, 'POST', here, { name: 'Shared', tiles: TILES })
    const secret = await call(server, 'POST', '/api/projects/1/embed_secrets')
    const toPath = (claims: object) => {
      const exp = Math.floor(Date.now() / 1000) + 3600
      return `/embedded/${signEmbed(secret, { dashboard: id, exp, ...claims })}`
    }
    const filters = { properties: [{ key: 'tenant', value: 'acme' }] }
    const [locked, open] = [toPath({ filters }), toPath({})]
    const cost = async (path: string, seconds = SECONDS) => {
      const requests = [{ method: 'GET', path }] as const
      return (
        1 / (await drive({ url: server.url, requests, connections: CONNECTIONS, seconds })).rate
      )
    }
    for (const path of [locked, open]) await finish(server.url + path)
    for (const path of [locked, open]) await cost(path)
    const [withLock, without]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      without.push(await cost(open))
      withLock.push(await cost(locked))
    }
    const toRates = (costs: readonly number[]) => listRounds(costs.map((each) => 1 / each))
    const result: Result = {
      subject: 'reads',
      what: 'a shared page of 6 tiles with locked filters, results cached',
      ...ofTurns(withLock, without),
      unit: 'times without a lock',
      goal: { atMost: 1.1 },
      detail: `${toRates(withLock)} against ${toRates(without)} pages a second`,
    }
    say(toLine(result))
    return [result]
  } finally {
    await server.stop()
  }
}

/** Waits until a page is computed and drawn. */
async function finish(url: string): Promise<void> {
  for (;;) {
    const text = await (await fetch(url)).text()
    if (!/Computing|Drawing/.test(text)) return
    await wait(200)
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import { addConfig, CONFIGS, call } from './api.ts'
import { drive } from './drive.ts'
import { type Running, startHedgerowForApps } from './processes.ts'
import { makeEvents } from './query-data.ts'
import { listRounds, median, ofRounds, type Result, toLine, toText } from './result.ts'
import type { Scenario } from './scenarios.ts'
import { seedEvents } from './seed-events.ts'

const DASHBOARDS = '/api/environments/1/dashboards'
const DEMO_APP = 4
const EVENTS = 10_000_000
const ROUNDS = 3
/** The rate of viewers, far below the server's capacity. */
const VIEWS_A_SECOND = 200
const SECONDS = 8

type Say = (text: string) => void

const EVENT_NAMES = ['$pageview', 'event 3', 'event 9', 'event 14']
const MATHS = ['total', 'dau', 'weekly_active']

/** Twelve different queries. */
const toTiles = () =>
  EVENT_NAMES.flatMap((event, row) =>
    MATHS.map((math, column) => ({
      layouts: { sm: { x: column * 4, y: row * 5, w: 4, h: 5 } },
      insight: {
        name: `${event}, ${math}`,
        query: {
          kind: 'InsightVizNode',
          source: {
            kind: 'TrendsQuery',
            series: [{ event, math }],
            dateRange: { date_from: '2026-01-31', date_to: '2026-03-31' },
          },
        },
      },
    })),
  )

/** Measures a dashboard of twelve tiles over ten million events: cold, and during an import. */
export async function measureTiles(dataFolder: string, say: Say) {
  say(`making ${EVENTS.toLocaleString('en')} events`)
  await seedEvents(dataFolder, (folder) => makeEvents(folder, EVENTS, say))
  const server = await startHedgerowForApps(dataFolder)
  try {
    const { id } = await call(server, 'POST', DASHBOARDS, { name: 'Twelve', tiles: toTiles() })
    await call(server, 'GET', `${DASHBOARDS}/${id}?refresh=blocking`)
    const results = [
      await measureCold(server, id, say),
      ...(await measureBesideImport(server, id, say)),
    ]
    await call(server, 'GET', `${DASHBOARDS}/${id}?refresh=blocking`)
    return { results, cached: toScenario(id) }
  } finally {
    await server.stop()
  }
}

/** Prepares the comparison with a bare server in the same data folder. */
const toScenario = (id: number): Scenario => ({
  name: 'retrieve 12 tiles with their numbers, from the cache',
  requests: [{ method: 'GET', path: `${DASHBOARDS}/${id}` }],
  goal: 0.4,
})

async function measureCold(server: Running, id: number, say: Say): Promise<Result> {
  const ratios: number[] = []
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    let sum = 0
    for (const { insight } of toTiles()) {
      sum += await timed(() =>
        call(server, 'POST', '/api/projects/1/query', {
          query: insight.query,
          refresh: 'force_blocking',
        }),
      )
    }
    const all = await timed(() => call(server, 'GET', `${DASHBOARDS}/${id}?refresh=force_blocking`))
    say(`12 tiles together ${Math.round(all)} ms, one by one ${Math.round(sum)} ms`)
    ratios.push(all / sum)
    times.push(all)
  }
  return {
    subject: 'queries',
    what: 'a cold dashboard of 12 tiles against the sum of its queries, 10 million events',
    ...ofRounds(ratios),
    unit: 'times',
    goal: { atMost: 0.5 },
    detail: `${listRounds(ratios)}; ${toText(median(times))} ms together`,
  }
}

async function measureBesideImport(server: Running, id: number, say: Say): Promise<Result[]> {
  const views = async () =>
    drive({
      url: server.url,
      requests: [{ method: 'GET', path: `${DASHBOARDS}/${id}` }],
      connections: 8,
      seconds: SECONDS,
      rate: VIEWS_A_SECOND,
    })
  const alone = await views()
  const demo = await addConfig(server, DEMO_APP, {})
  const job = { type: 'Generate events', payload: { events: EVENTS } }
  const run = await call(server, 'POST', `${CONFIGS}/${demo}/job`, { job })
  await wait(1000)
  const beside = await views()
  const { state } = await call(server, 'GET', `${CONFIGS}/${demo}/runs/${run.id}`)
  if (state !== 'running') throw new Error(`The import was ${state} at the end.`)
  await call(server, 'DELETE', `${CONFIGS}/${demo}`) // it would disturb the next measurement
  await wait(1000)
  const what = `${VIEWS_A_SECOND} cached views a second of 12 tiles while an import runs`
  const measured = { subject: 'reads', generator: 'autocannon' } as const
  const results: Result[] = [
    {
      ...measured,
      what,
      value: beside.rate / alone.rate,
      unit: 'of those without',
      goal: { atLeast: 0.8 },
      detail: `${Math.round(beside.rate)} of ${Math.round(alone.rate)} req/s`,
    },
    {
      ...measured,
      what: `${what}: p99`,
      value: beside.p99,
      unit: 'ms',
      goal: { atMost: 50 },
      detail: `without it ${alone.p99} ms`,
    },
  ]
  for (const result of results) say(toLine(result))
  return results
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

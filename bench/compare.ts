import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { drive, GENERATOR, type Seen } from './drive.ts'
import { SETTINGS } from './postgres.ts'
import { type Running, startBare, startHedgerow } from './processes.ts'
import { listRounds, ofRounds, ofTurns, type Result, toLine } from './result.ts'
import {
  LIST_PAST,
  RETRIEVE_ON_POSTGRES,
  RETRIEVE_PAST,
  type Request,
  type Scenario,
} from './scenarios.ts'
import { BENCH_KEY, seed } from './seed.ts'

interface ComparisonOptions {
  readonly folder: string
  readonly say: (text: string) => void
  readonly seconds: number
  readonly rounds: number
}

const CONNECTIONS = 32

/** Creates the functions that compare the rates of servers. */
export function createComparison({ folder, say, seconds, rounds }: ComparisonOptions) {
  /** Keeps both servers running and alternates the load, so noise affects both. */
  async function compareWithBare(
    data: string,
    scenario: Scenario,
    databaseUrl?: string,
  ): Promise<Result[]> {
    const hedgerow = await startHedgerow(data, databaseUrl)
    const { connections } = scenario
    const requests = scenario.revalidates
      ? await withTags(hedgerow, scenario.requests)
      : scenario.requests
    const responses = join(folder, 'responses.json')
    await writeFile(responses, JSON.stringify(await record(hedgerow, requests)))
    const bare = await startBare(responses)
    const seen: { ours: Seen; theirs: Seen }[] = []
    await warmUp([bare, hedgerow], requests, connections)
    for (let round = 0; round < rounds; round++) {
      const theirs = await load(bare, requests, connections)
      const ours = await load(hedgerow, requests, connections)
      say(
        `${scenario.name}: ${Math.round(ours.rate)} of ${Math.round(theirs.rate)} req/s = ${(ours.rate / theirs.rate).toFixed(2)}, p99 ${ours.p99} against ${theirs.p99} ms`,
      )
      seen.push({ ours, theirs })
    }
    await Promise.all([hedgerow.stop(), bare.stop()])
    return toResults(scenario, seen)
  }

  /** Measures cached reads where other servers may write, so that each of them reads the versions. */
  async function compareOnPostgres(): Promise<Result[]> {
    const postgres = await startPostgres([...SETTINGS], tmpdir())
    try {
      const databaseUrl = postgres.url(await postgres.createDatabase())
      const data = join(folder, 'postgres')
      await seed(data, 10, databaseUrl)
      return await compareWithBare(data, RETRIEVE_ON_POSTGRES, databaseUrl)
    } finally {
      await postgres.stop()
    }
  }

  /** Checks that the cost of a read does not grow with the amount of data. */
  async function compareSizes(): Promise<Result[]> {
    const folders = { small: join(folder, 'small'), large: join(folder, 'large') }
    say('filling data folders with 1,000 and 100,000 dashboards')
    await seed(folders.small, 1_000)
    await seed(folders.large, 100_000)
    const small = await startHedgerow(folders.small)
    const large = await startHedgerow(folders.large)
    const results: Result[] = []
    const reads = { retrieve: RETRIEVE_PAST.slice(0, 20), list: LIST_PAST }
    for (const [name, requests] of Object.entries(reads)) {
      const ratios: number[] = []
      await warmUp([small, large], requests)
      for (let round = 0; round < rounds; round++) {
        const few = await load(small, requests)
        const much = await load(large, requests)
        ratios.push(few.rate / much.rate)
      }
      const result: Result = {
        subject: 'reads',
        what: `${name} past the cache, 100,000 against 1,000 dashboards`,
        ...ofRounds(ratios),
        unit: 'times the cost',
        goal: { atMost: 1.5 },
        generator: GENERATOR,
        detail: listRounds(ratios),
      }
      say(toLine(result))
      results.push(result)
    }
    await Promise.all([small.stop(), large.stop()])
    return results
  }

  /** Warms up, so that no round measures compilation. */
  async function warmUp(
    servers: readonly Running[],
    requests: readonly Request[],
    connections?: number,
  ): Promise<void> {
    for (const server of servers) await load(server, requests, connections)
  }

  const load = (
    { url }: Running,
    requests: readonly Request[],
    connections = CONNECTIONS,
  ): Promise<Seen> => drive({ url, requests, connections, seconds })

  return { compareWithBare, compareOnPostgres, compareSizes }
}

function toResults(
  { name, requests, goal, p99Goal }: Scenario,
  rounds: readonly { ours: Seen; theirs: Seen }[],
): Result[] {
  const [ours, theirs] = [rounds.map((round) => round.ours), rounds.map((round) => round.theirs)]
  const rates = (seen: readonly Seen[]) => seen.map(({ rate }) => rate)
  const tails = (seen: readonly Seen[]) => seen.map(({ p99 }) => Math.max(p99, 1))
  const subject = requests.every(({ method }) => method === 'GET') ? 'reads' : 'writes'
  return [
    {
      subject,
      what: name,
      ...ofTurns(rates(ours), rates(theirs)),
      unit: 'of bare',
      goal: goal === undefined ? undefined : { atLeast: goal },
      generator: GENERATOR,
      detail: `${listRounds(rates(ours))} of ${listRounds(rates(theirs))} req/s`,
    },
    {
      subject,
      what: `${name}: p99`,
      ...ofTurns(tails(ours), tails(theirs)),
      unit: "times bare's",
      goal: p99Goal === undefined ? undefined : { atMost: p99Goal },
      generator: GENERATOR,
      detail: `${listRounds(tails(ours))} against ${listRounds(tails(theirs))} ms`,
    },
  ]
}

/** Adds the entity tags of the current responses. */
const withTags = (server: Running, requests: readonly Request[]): Promise<Request[]> =>
  Promise.all(
    requests.map(async (request) => {
      await refresh(server, request)
      const { headers } = await send(server, request)
      return { ...request, headers: { 'if-none-match': headers.get('etag') ?? '' } }
    }),
  )

const send = ({ url }: Running, { method, path, headers, body }: Request): Promise<Response> =>
  fetch(url + path, {
    method,
    headers: { ...headers, authorization: `Bearer ${BENCH_KEY}`, accept: 'application/json' },
    body,
  })

/** Computes a dashboard's results, which would otherwise arrive during the measurement. */
async function refresh(server: Running, { method, path }: Request): Promise<void> {
  if (method !== 'GET' || !/\/dashboards\/\d+$/.test(path)) return
  await send(server, { method, path: `${path}?refresh=blocking` })
}

/** Records the service's responses for the bare server to send: the same bytes, headers included. */
async function record(
  server: Running,
  requests: readonly Request[],
): Promise<Record<string, object>> {
  const responses: Record<string, object> = {}
  for (const request of requests) {
    await refresh(server, request)
    const response = await send(server, request)
    const { connection, 'keep-alive': _, date, ...sent } = Object.fromEntries(response.headers)
    responses[`${request.method} ${request.path}`] = {
      status: response.status,
      headers: sent,
      body: await response.text(),
    }
  }
  return responses
}

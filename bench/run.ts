import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { measureAbuse, measureAbuseOnPostgres } from './abuse.ts'
import { measureBackup } from './backup.ts'
import { measureBackupOnPostgres } from './backup-postgres.ts'
import { measureClickHouse } from './clickhouse.ts'
import { drive, GENERATOR, type Seen } from './drive.ts'
import { measureAppends, measureCapture } from './events.ts'
import { measureFootprint } from './footprint.ts'
import { appendHistory } from './history.ts'
import { measureImports } from './imports.ts'
import { measurePersons } from './persons.ts'
import { measurePostgres, SETTINGS } from './postgres.ts'
import { type Running, startBare, startHedgerow } from './processes.ts'
import { measureQueries } from './queries.ts'
import { writeReport } from './report.ts'
import { isMissed, listRounds, ofRounds, ofTurns, type Result, toLine } from './result.ts'
import {
  CACHED_RETRIEVE,
  LIST_PAST,
  RETRIEVE_PAST,
  type Request,
  SCENARIOS,
  type Scenario,
} from './scenarios.ts'
import { BENCH_KEY, seed } from './seed.ts'
import { measureServers } from './servers.ts'
import { measureTiles } from './tiles.ts'
import { measureWeb, WEB_PARTS } from './web.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    /** Adds 100 million events, which take some minutes and 15 GB; in ClickHouse, as much again. */
    large: { type: 'boolean', default: false },
    'no-report': { type: 'boolean', default: false },
  },
})
const SECONDS = Number(options.seconds)
const ROUNDS = Number(options.rounds)
const CONNECTIONS = 32
const DASHBOARDS = 10_000

const RETRIEVE_ON_POSTGRES: Scenario = {
  name: 'retrieve on PostgreSQL, from the cache',
  requests: CACHED_RETRIEVE,
  goal: 0.35,
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
const results: Result[] = []
try {
  say(`filling a data folder with ${DASHBOARDS} dashboards`)
  const data = join(folder, 'main')
  await seed(data, DASHBOARDS)
  if (isSelected('footprint')) results.push(...(await measureFootprint(data, say)))
  for (const scenario of SCENARIOS.filter(({ name }) => isSelected(name))) {
    results.push(...(await compareWithBare(data, scenario)))
  }
  if (isSelected(RETRIEVE_ON_POSTGRES.name)) results.push(...(await compareOnPostgres()))
  if (isSelected('growth')) results.push(...(await compareSizes()))
  if (isSelected('append')) results.push(...(await measureAppends(say)))
  if (isSelected('capture')) results.push(...(await measureCapture(say)))
  if (isSelected('abuse')) results.push(...(await measureAbuse(say)))
  if (isSelected('abuse-pg')) results.push(...(await measureAbuseOnPostgres(say)))
  if (isSelected('queries')) results.push(...(await measureQueries(say, options.large)))
  if (isSelected('persons')) results.push(...(await measurePersons(say)))
  if (isSelected('backup')) results.push(...(await measureBackup(say)))
  if (isSelected('backup-pg')) results.push(...(await measureBackupOnPostgres(say)))
  if (isSelected('postgres')) results.push(...(await measurePostgres(say)))
  if (isSelected('clickhouse')) results.push(...(await measureClickHouse(say, options.large)))
  if (isSelected('servers')) results.push(...(await measureServers(say)))
  if (isSelected('tiles')) {
    const fresh = join(folder, 'tiles')
    await seed(fresh, 10)
    const { results: ofTiles, cached } = await measureTiles(fresh, say)
    results.push(...ofTiles, ...(await compareWithBare(fresh, cached)))
  }
  if (WEB_PARTS.some(isSelected)) results.push(...(await measureWeb(data, say, isSelected)))
  if (isSelected('imports')) {
    const fresh = join(folder, 'imports')
    await seed(fresh, 10)
    results.push(...(await measureImports(fresh, say)))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
const missed = results.filter(isMissed)
if (!options['no-report']) {
  await appendHistory(results)
  await writeReport()
}
say(missed.length === 0 ? 'every goal met' : `missed: ${missed.map(({ what }) => what).join(', ')}`)
process.exitCode = missed.length === 0 ? 0 : 1

function isSelected(name: string): boolean {
  return name.includes(options.only)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

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
  const rounds: { ours: Seen; theirs: Seen }[] = []
  await warmUp([bare, hedgerow], requests, connections)
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await load(bare, requests, connections)
    const ours = await load(hedgerow, requests, connections)
    say(
      `${scenario.name}: ${Math.round(ours.rate)} of ${Math.round(theirs.rate)} req/s = ${(ours.rate / theirs.rate).toFixed(2)}, p99 ${ours.p99} against ${theirs.p99} ms`,
    )
    rounds.push({ ours, theirs })
  }
  await Promise.all([hedgerow.stop(), bare.stop()])
  return toResults(scenario, rounds)
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
    for (let round = 0; round < ROUNDS; round++) {
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
): Promise<Seen> => drive({ url, requests, connections, seconds: SECONDS })

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

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { ABUSES, PREPARATIONS } from './abuse-load.ts'
import { type Figures, startFloor, startWatched, watchDuring, watchFloor } from './abuse-watch.ts'
import { SETTINGS } from './postgres.ts'
import { type Result, toText } from './result.ts'
import { seed } from './seed.ts'
import type { Subject } from './subjects.ts'

/** Apps run inside the server, so there is no baseline for them. */
const WITHOUT_FLOOR = 'an app that floods fetch, logs, captures and cache'

type Say = (text: string) => void

/** Measures how much one client or app can slow down others, each on its own server. */
export const measureAbuse = (say: Say, only = ''): Promise<Result[]> =>
  measureEach(say, only, 'abuse', async () => undefined)

/** Measures the same with PostgreSQL instead of the embedded storage. */
export async function measureAbuseOnPostgres(say: Say, only = ''): Promise<Result[]> {
  const postgres = await startPostgres(SETTINGS)
  try {
    const createDatabase = async () => postgres.url(await postgres.createDatabase())
    return await measureEach(say, only, 'abuse on PostgreSQL', createDatabase)
  } finally {
    await postgres.stop()
  }
}

async function measureEach(
  say: Say,
  only: string,
  subject: Subject,
  createDatabase: () => Promise<string | undefined>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const name of Object.keys(ABUSES).filter((name) => name.includes(only))) {
    const floor = name === WITHOUT_FLOOR ? undefined : await measureFloor(name)
    const figures = await measure(name, await createDatabase())
    const all = { ...figures, floor }
    say(`${subject}, ${name}: ${JSON.stringify(all, (_, value) => Math.round(value) || value)}`)
    results.push(...toResults(subject, name, figures, floor))
  }
  return results
}

async function measureFloor(name: string): Promise<number> {
  const server = await startFloor()
  try {
    return await watchFloor(server, name)
  } finally {
    await server.stop()
  }
}

async function measure(name: string, databaseUrl: string | undefined): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
  await seed(folder, 10, databaseUrl)
  const server = await startWatched(folder, databaseUrl)
  try {
    await PREPARATIONS[name]?.(server)
    return await watchDuring(server, name)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function toResults(
  subject: Subject,
  name: string,
  figures: Figures,
  floor: number | undefined,
): Result[] {
  const { longest, gap, collection, growth, healthP99, recovery } = figures
  const toResult = (part: string, value: number, unit: string, atMost: number): Result => ({
    subject,
    what: `${name}: ${part}`,
    value,
    unit,
    goal: { atMost },
  })
  const waits = `with waits for a processor ${toText(gap)} ms; longest garbage collection ${toText(collection)} ms`
  const baseline =
    floor === undefined ? undefined : `a server that only responds: ${toText(floor)} ms`
  return [
    { ...toResult('longest pause', longest, 'ms', 50), detail: waits },
    toResult('memory growth', growth, 'MB', 150),
    { ...toResult('`/_health` p99', healthP99, 'ms', 100), detail: baseline },
    toResult('time to recover', recovery, 'ms', 2000),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , only, database] = process.argv
  const measureOn = database === 'postgres' ? measureAbuseOnPostgres : measureAbuse
  await measureOn((text) => process.stderr.write(`${text}\n`), only)
}

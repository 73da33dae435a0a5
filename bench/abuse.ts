import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { floodFromApp } from './abuse-app.ts'
import { sendEmptyEvents, sendLargestBatch, sendSlowly } from './abuse-bodies.ts'
import { floodQueries, openStreams, requestExports } from './abuse-reads.ts'
import { type Figures, startWatched, type Watched, watchDuring } from './abuse-watch.ts'
import type { Result } from './report.ts'
import { seed } from './seed.ts'

const ABUSES: Readonly<Record<string, (server: Watched) => Promise<void>>> = {
  'unauthenticated compressed bodies': sendEmptyEvents,
  'the largest legal batch': sendLargestBatch,
  '500 slow senders': sendSlowly,
  '200 streams': openStreams,
  '50 exports at once': requestExports,
  '2,000 queries a second': floodQueries,
  'an app that floods fetch, logs, captures and cache': floodFromApp,
}

type Say = (text: string) => void

/** Measures what one client or app can do to the others, each on a server of its own. */
export async function measureAbuse(say: Say, only = ''): Promise<Result[]> {
  const results: Result[] = []
  for (const [name, abuse] of Object.entries(ABUSES).filter(([name]) => name.includes(only))) {
    const figures = await measure(abuse)
    say(`abuse, ${name}: ${JSON.stringify(figures, (_, value) => Math.round(value) || value)}`)
    results.push(...toResults(`abuse, ${name}`, figures))
  }
  return results
}

async function measure(abuse: (server: Watched) => Promise<void>): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
  await seed(folder, 10)
  const server = await startWatched(folder)
  try {
    return await watchDuring(server, () => abuse(server))
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function toResults(what: string, figures: Figures): Result[] {
  const { longest, gap, collection, growth, healthP99, recovery } = figures
  const toResult = (part: string, value: number, unit: string, most: number, detail = '') => ({
    what: `${what}: ${part}`,
    figure: `${Math.round(value)} ${unit}`,
    detail,
    goal: `<= ${most} ${unit}`,
    met: value <= most,
  })
  const besides = `with waits for a processor ${Math.round(gap)} ms; longest garbage collection ${Math.round(collection)} ms`
  return [
    toResult('longest pause', longest, 'ms', 50, besides),
    toResult('memory growth', growth, 'MB', 150),
    toResult('`/_health` p99', healthP99, 'ms', 100),
    toResult('time to recover', recovery, 'ms', 2000),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await measureAbuse((text) => process.stderr.write(`${text}\n`), process.argv[2])
}

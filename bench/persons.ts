import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catchUpPersons, forgetPersons } from '#server/analytics/duckdb/catch-up-persons.ts'
import type { EventsFile } from '#server/analytics/duckdb/file.ts'
import { inTurns } from './in-turns.ts'
import { runOnFile } from './queries.ts'
import { QUERY_CASES } from './query-cases.ts'
import { DAYS, MERGED, makeEvents, type Visitors } from './query-data.ts'
import { median, type Result } from './report.ts'

const EVENTS = 10_000_000
const MEGABYTE = 1024 * 1024

const UNMERGED: Visitors = { people: 1_000_000, accounts: 0 }

type Say = (text: string) => void

/**
 * Measures the cost of merged persons: queries compared with the same data without merges, and a rebuild of all
 * persons.
 */
export async function measurePersons(say: Say): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-persons-'))
  try {
    const merged = await makeFile(join(folder, 'merged'), MERGED, say)
    const unmerged = await makeFile(join(folder, 'unmerged'), UNMERGED, say)
    const results = await compareCases(merged, unmerged, say)
    await unmerged.close()
    results.push(...(await measureRebuild(merged, say)))
    await merged.close()
    return results
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeFile(folder: string, visitors: Visitors, say: Say): Promise<EventsFile> {
  await mkdir(folder)
  say(`making ${EVENTS.toLocaleString('en')} events, ${visitors.accounts} of whose IDs are merged`)
  return makeEvents(folder, EVENTS, say, DAYS, visitors)
}

async function compareCases(merged: EventsFile, unmerged: EventsFile, say: Say): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, plan } of QUERY_CASES) {
    const [ours, theirs] = await inTurns(
      () => runOnFile(merged, plan),
      () => runOnFile(unmerged, plan),
    )
    const ratio = median(ours.map((time, round) => time / (theirs[round] as number)))
    const detail = `${Math.round(median(ours))} against ${Math.round(median(theirs))} ms`
    say(`${name}: ${ratio.toFixed(2)} of the same without merges (${detail})`)
    results.push({
      what: `${name}, with a fifth of the IDs merged`,
      figure: `${ratio.toFixed(2)} times without merges`,
      detail,
      goal: '<= 1.25',
      met: ratio <= 1.25,
    })
  }
  return results
}

async function measureRebuild({ changes }: EventsFile, say: Say): Promise<Result[]> {
  await forgetPersons(changes)
  let peak = 0
  const startedAt = performance.now()
  await catchUpPersons(changes, (done, total) => {
    peak = Math.max(peak, process.memoryUsage.rss())
    if (done % 2_000_000 === 0) say(`derived the persons of ${done} of ${total} events`)
  })
  const seconds = (performance.now() - startedAt) / 1000
  const megabytes = peak / MEGABYTE
  const figures = [
    { figure: `${Math.round(seconds)} s`, goal: '<= 120 s', met: seconds <= 120 },
    { figure: `${Math.round(megabytes)} MB`, goal: '<= 500 MB', met: megabytes <= 500 },
  ]
  return figures.map((each) => ({
    what: 'deriving the persons of 10 million events again',
    detail: 'a million IDs, 200,000 merges',
    ...each,
  }))
}

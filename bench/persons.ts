import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { EventsFile } from '#server/analytics/duckdb/file.ts'
import { inTurns } from './in-turns.ts'
import type { Rebuild } from './persons-rebuild.ts'
import { runOnFile } from './queries.ts'
import { QUERY_CASES } from './query-cases.ts'
import { MERGED, makeEvents, type Visitors } from './query-data.ts'
import { median, ofTurns, type Result, toLine, toText } from './result.ts'

const EVENTS = 10_000_000
const ROOT = fileURLToPath(new URL('..', import.meta.url))

const UNMERGED: Visitors = { persons: 1_000_000, accounts: 0 }

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
    await merged.close()
    results.push(...(await measureRebuild(join(folder, 'merged'))))
    return results
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeFile(folder: string, visitors: Visitors, say: Say): Promise<EventsFile> {
  await mkdir(folder)
  say(`making ${EVENTS.toLocaleString('en')} events, ${visitors.accounts} of whose IDs are merged`)
  return makeEvents(folder, EVENTS, say, { visitors })
}

async function compareCases(merged: EventsFile, unmerged: EventsFile, say: Say): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, plan } of QUERY_CASES) {
    const [ours, theirs] = await inTurns(
      () => runOnFile(merged, plan),
      () => runOnFile(unmerged, plan),
    )
    const result: Result = {
      subject: 'persons',
      what: name,
      ...ofTurns(ours, theirs),
      unit: 'times without merges',
      goal: { atMost: 1.25 },
      detail: `${toText(median(ours))} against ${toText(median(theirs))} ms`,
    }
    say(toLine(result))
    results.push(result)
  }
  return results
}

/** Rebuilds in a process of its own, as `hedgerow persons rebuild` does: this one has just run heavy queries. */
async function measureRebuild(folder: string): Promise<Result[]> {
  const child = spawn(process.execPath, ['bench/persons-rebuild.ts', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { seconds, megabytes }: Rebuild = JSON.parse(await text(child.stdout))
  const toResult = (part: string, value: number, unit: string, atMost: number): Result => ({
    subject: 'persons',
    what: `deriving the persons of 10 million events again: ${part}`,
    value,
    unit,
    goal: { atMost },
    detail: 'a million IDs, 200,000 merges',
  })
  return [
    toResult('time', seconds, 's', 120),
    toResult('memory of the process', megabytes, 'MB', 500),
  ]
}

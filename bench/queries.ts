import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { toEventTable } from '#server/analytics/duckdb/event-table.ts'
import type { EventsFile } from '#server/analytics/duckdb/file.ts'
import { type Plan, runPlan } from '#server/analytics/queries/plan.ts'
import { compileSql } from '#server/analytics/queries/sql/compile.ts'
import { inTurns } from './in-turns.ts'
import { QUERY_CASES, SEVEN_DAYS } from './query-cases.ts'
import { DAYS, MATERIALIZED, MERGED, makeEvents } from './query-data.ts'
import { median, ofTurns, type Result, toLine, toText } from './result.ts'

const EVENTS = 10_000_000
const MINUTE_MS = 60_000

type Say = (text: string) => void

/** Measures each query kind against hand-written SQL, in turns; `more` adds 100 million events. */
export async function measureQueries(say: Say, more: boolean): Promise<Result[]> {
  return withEvents(EVENTS, say, DAYS, async (file) => {
    const results: Result[] = []
    for (const { name, plan, byHand } of [...QUERY_CASES, await sqlCase()]) {
      const [ours, theirs] = await inTurns(
        () => runOnFile(file, plan),
        () => file.readers.run(sql.raw(byHand), MINUTE_MS),
      )
      const result: Result = {
        subject: 'queries',
        what: name,
        ...ofTurns(ours, theirs),
        unit: 'times by hand',
        goal: { atMost: 1.3 },
        detail: describe(ours, theirs),
      }
      say(toLine(result))
      results.push(result)
    }
    if (more) results.push(await measureGrowth(file, say))
    return results
  })
}

export async function sqlCase() {
  const text = 'select event, count(), uniq(distinct_id) from events group by event order by 2 desc'
  const plan = await compileSql(text, { zone: 'UTC' })
  const byHand =
    'select event, count(*), count(distinct distinct_id) from facts where project_id = 1 group by 1 order by 2 desc limit 101'
  return { name: 'SQL: events by name', plan, byHand }
}

async function measureGrowth(small: EventsFile, say: Say): Promise<Result> {
  // over ten times the days, so seven days have as many events as in the small data set
  return withEvents(EVENTS * 10, say, DAYS * 10, async (large) => {
    const [ours, theirs] = await inTurns(
      () => runOnFile(large, SEVEN_DAYS),
      () => runOnFile(small, SEVEN_DAYS),
    )
    const result: Result = {
      subject: 'queries',
      what: 'a 7-day trend over 100 million events against 10 million',
      ...ofTurns(ours, theirs),
      unit: 'times',
      goal: { atMost: 2 },
      detail: describe(ours, theirs),
    }
    say(toLine(result))
    return result
  })
}

/** Runs a query on the embedded store. */
export const runOnFile = (file: EventsFile, plan: Plan): Promise<unknown> =>
  runPlan(
    {
      store: {
        query: (projectId, { properties, personProperties = [], personUuid = false, toSql }) => {
          const columns = { properties, personProperties, personUuid }
          const table = toEventTable(projectId, Number.MAX_SAFE_INTEGER, MATERIALIZED, columns)
          return file.readers.run(toSql(table), MINUTE_MS)
        },
      },
      projectId: 1,
    },
    plan,
  )

async function withEvents<T>(
  count: number,
  say: Say,
  days: number,
  work: (file: EventsFile) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-events-'))
  say(`making ${count.toLocaleString('en')} events`)
  const file = await makeEvents(folder, count, say, { days, visitors: MERGED })
  try {
    return await work(file)
  } finally {
    await file.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const describe = (ours: readonly number[], theirs: readonly number[]): string =>
  `${toText(median(ours))} against ${toText(median(theirs))} ms`

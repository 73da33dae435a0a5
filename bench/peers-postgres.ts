import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { EventsFile } from '#server/analytics/duckdb/file.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { runPlan } from '#server/analytics/queries/plan.ts'
import type { Db } from '#server/db/schema.ts'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { newEvents, openStore } from './clickhouse-capture.ts'
import { inTurns } from './in-turns.ts'
import { SETTINGS, withBothStores } from './postgres.ts'
import { QUERY_CASES } from './query-cases.ts'
import { END } from './query-data.ts'
import { median, ofTurns, type Result, toLine, toText } from './result.ts'
import { DURABLE } from './servers.ts'

const BATCH = 1000
const BATCHES = 10
const MINUTE_MS = 60_000

type Say = (text: string) => void

/** Measures three query kinds and appends on PostgreSQL against SQL written by hand there, in turns. */
export const measureByHand = async (say: Say): Promise<Result[]> => [
  ...(await compareQueries(say)),
  await compareAppends(say),
]

const between = (from: string, to: string): string =>
  `project_id = 1 and timestamp >= '${from}' and timestamp < '${to}'`

const MONTH = between('2026-03-01T23:00:00Z', '2026-03-31T22:00:00Z')
const daysSince = (first: string): string =>
  `((timestamp at time zone 'Europe/Berlin')::date - date '${first}')`
const week = `${daysSince('2026-01-19')} / 7`

/** Carries the times of earlier steps along each person's events: one sort, no joins. */
const FUNNEL = `with matched as (
    select person, event, (extract(epoch from timestamp) * 1000)::bigint as at from facts
    where ${MONTH} and event in ('$pageview', 'event 3', 'event 9')
  ), first as (
    select *, max(at) filter (where event = '$pageview') over (partition by person order by at) as t1 from matched
  ), second as (
    select *, max(at) filter (where is_second) over steps as t2, max(t1) filter (where is_second) over steps as t1_of_t2
    from (select *, event = 'event 3' and at - t1 <= 1209600000 as is_second from first)
    window steps as (partition by person order by at)
  ), reached as (
    select min(t1) as a, min(t1) filter (where is_second) as b1, min(at) filter (where is_second) as b2,
      min(t1_of_t2) filter (where is_third) as c1, min(t2) filter (where is_third) as c2, min(at) filter (where is_third) as c3
    from (select *, event = 'event 9' and at - t1_of_t2 <= 1209600000 as is_third from second)
    group by person
  ), times as (
    select coalesce(c1, b1, a) as t1, coalesce(c2, b2) as t2, c3 as t3 from reached where a is not null
  )
  select count(t1) as n1, count(t2) as n2, count(t3) as n3, avg(t2 - t1) as mean_to_2, avg(t3 - t2) as mean_to_3,
    percentile_cont(0.5) within group (order by t2 - t1) as median_to_2,
    percentile_cont(0.5) within group (order by t3 - t2) as median_to_3 from times`

const BY_HAND: Readonly<Record<string, string>> = {
  'trend: people by day': `select b, (
      select count(distinct person) from facts where project_id = 1 and event = '$pageview'
        and timestamp >= (date '2026-03-02' + b)::timestamp at time zone 'Europe/Berlin'
        and timestamp < (date '2026-03-03' + b)::timestamp at time zone 'Europe/Berlin'
    ) from generate_series(0, 29) b`,
  'funnel of 3 steps': FUNNEL,
  'retention by week': `with people as (
      select bit_or(1::bigint << ${week}) as active from facts
      where ${between('2026-01-18T23:00:00Z', END)} and event = '$pageview' group by person
    ), alike as (select active, count(*) as n from people group by 1)
    select i, j, sum(n) from alike cross join generate_series(0, 10) i cross join generate_series(0, 10) j
    where j >= i and (active >> i) & 1 = 1 and (active >> j) & 1 = 1 group by 1, 2`,
}

const compareQueries = (say: Say): Promise<Result[]> =>
  withBothStores(say, async ({ file, store, db }) => {
    const results: Result[] = []
    for (const { name, plan, byHand: onFile } of QUERY_CASES) {
      const byHand = BY_HAND[name]
      if (!byHand) continue
      await requireSame(name, db, byHand, file, onFile)
      const [ours, theirs] = await inTurns(
        () => runPlan({ store, projectId: 1 }, plan),
        () => runByHand(db, byHand),
      )
      const result: Result = {
        subject: 'peers',
        what: `${name}, 2 million events on PostgreSQL`,
        ...ofTurns(ours, theirs),
        unit: 'times SQL by hand',
        detail: `${toText(median(ours))} against ${toText(median(theirs))} ms`,
      }
      say(toLine(result))
      results.push(result)
    }
    return results
  })

/** Uses the settings of our queries: with the defaults, PostgreSQL sorts on disk and reads whole tables. */
const runByHand = (db: Db, statement: string): Promise<Record<string, unknown>[]> =>
  db.transaction().execute(async (tx) => {
    await sql`select set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true)`.execute(
      tx,
    )
    return (await sql.raw<Record<string, unknown>>(statement).execute(tx)).rows
  })

/** Throws if the statements for the two stores disagree, because then one of them is wrong. */
async function requireSame(
  name: string,
  db: Db,
  byHand: string,
  file: EventsFile,
  onFile: string,
): Promise<void> {
  const rows = await runByHand(db, byHand)
  const [ours, theirs] = [rows, await file.readers.run(sql.raw(onFile), MINUTE_MS)].map(toNumbers)
  if (isDeepStrictEqual(ours, theirs)) return
  throw new Error(`${name}: PostgreSQL returns ${ours?.[0]}, the embedded store ${theirs?.[0]}`)
}

const toNumbers = (rows: readonly Record<string, unknown>[]): string[] =>
  rows
    .map((row) =>
      Object.values(row)
        .map((value) => Math.round(Number(value)))
        .join(),
    )
    .toSorted()

/** Compares with one statement for each batch into a table with a key, an index by time and JSON. */
async function compareAppends(say: Say): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-peers-'))
  const postgres = await startPostgres([...SETTINGS, ...DURABLE], tmpdir())
  try {
    const { db, store, close } = await openStore(
      folder,
      postgres.url(await postgres.createDatabase()),
    )
    await sql.raw(TABLE).execute(db)
    const [ours, theirs] = await inTurns(
      async () => {
        for (let batch = 0; batch < BATCHES; batch++) await store.append(1, newEvents(BATCH))
      },
      async () => {
        for (let batch = 0; batch < BATCHES; batch++) await insertByHand(db, newEvents(BATCH))
      },
    )
    await close()
    const toRate = (ms: number): string => toText((BATCH * BATCHES * 1000) / ms)
    const result: Result = {
      subject: 'peers',
      what: `append events in batches of ${toText(BATCH)} on PostgreSQL`,
      ...ofTurns(theirs, ours),
      unit: 'of an insert by hand',
      detail: `${toRate(median(ours))} of ${toRate(median(theirs))} events/s; by hand without persons and facts`,
    }
    say(toLine(result))
    return result
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const TABLE = `
  create table by_hand (
    project_id bigint, uuid uuid, event text, distinct_id text, timestamp timestamptz, properties jsonb,
    primary key (project_id, uuid)
  );
  create index by_hand_by_time on by_hand (project_id, timestamp)`

async function insertByHand(db: Db, events: readonly NewEvent[]): Promise<void> {
  const column = (name: 'uuid' | 'event' | 'distinct_id' | 'timestamp' | 'properties') =>
    events.map((event) => event[name])
  await sql`
    insert into by_hand
    select 1, * from unnest(${column('uuid')}::uuid[], ${column('event')}::text[], ${column('distinct_id')}::text[],
      ${column('timestamp')}::timestamptz[], ${column('properties')}::jsonb[])
    on conflict do nothing`.execute(db)
}

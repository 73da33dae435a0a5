import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { createPostgresStore } from '#server/analytics/postgres/store.ts'
import { createEventTables, createPartition } from '#server/analytics/postgres/tables.ts'
import { openStorage } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { MAX_GROWTH_MB, measureIdle, runCommand } from './backup-command.ts'
import { SETTINGS } from './postgres.ts'
import { type Result, toLine, toText } from './result.ts'
import { seed } from './seed.ts'

const EVENTS = 10_000_000
const AT_A_TIME = 1_000_000
/** The events are spread over 90 days of these months. */
const MONTHS = ['2026-01', '2026-02', '2026-03']
const PERSONS = 50_000
/** Events with a megabyte of properties, the most that is captured. */
const LARGE_EVENTS = 200

type Say = (text: string) => void

/** Measures the memory of a backup from PostgreSQL, which needs no server, and of its check. */
export async function measureBackupOnPostgres(say: Say): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-backup-pg-'))
  const postgres = await startPostgres([...SETTINGS, 'max_wal_size=8GB'], tmpdir())
  try {
    const data = join(folder, 'data')
    const databaseUrl = postgres.url(await postgres.createDatabase())
    await fill(data, databaseUrl, say)
    const env = { HEDGEROW_DATA: data, DATABASE_URL: databaseUrl }
    const path = join(folder, 'a.tar')
    const idle = await measureIdle()
    const backup = await runCommand(['backup', path], env)
    const verify = await runCommand(['backup', 'verify', path], env)
    const result: Result = {
      subject: 'backup',
      what: 'backup of 10 million events from PostgreSQL: memory',
      value: backup.peak - idle,
      unit: 'MB above idle',
      goal: { atMost: MAX_GROWTH_MB },
      detail: `\`hedgerow backup\`, ${LARGE_EVENTS} events of 1 MB among them; at most ${toText(backup.peak)} MB, ${toText(backup.anonymous)} MB of them anonymous; idle ${toText(idle)} MB; ${toText(backup.seconds)} s; verify at most ${toText(verify.peak)} MB`,
    }
    say(toLine(result))
    return [result]
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Inserts what a backup reads, and creates the indexes after that, which takes half as long. */
async function fill(data: string, databaseUrl: string, say: Say): Promise<void> {
  await seed(data, 10, databaseUrl)
  const { db, close } = await openStorage({ dataFolder: data, databaseUrl })
  const store = createPostgresStore(db)
  await store.count(1) // creates the tables
  for (const month of MONTHS) await createPartition(db, month)
  await dropIndexes(db)
  say(`making ${EVENTS.toLocaleString('en')} events on PostgreSQL`)
  for (let from = 1; from <= EVENTS; from += AT_A_TIME) {
    await sql.raw(insertEvents(from, from + AT_A_TIME - 1)).execute(db)
  }
  await sql.raw(INSERT_PERSONS).execute(db)
  await createEventTables(db)
  await sql.raw('analyze').execute(db)
  await store.close()
  await close()
}

async function dropIndexes(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index
    where indrelid in ('events'::regclass, 'facts'::regclass)`.execute(db)
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(db)
}

const insertEvents = (from: number, to: number): string => `
  with made as (
    select i, gen_random_uuid() as uuid, 'user ' || i % ${PERSONS} as distinct_id,
      case when i % 2 = 0 then '$pageview' else 'event ' || i % 29 end as event,
      timestamptz '2026-01-01T00:00:00Z' + interval '90 days' * (i::double precision / ${EVENTS + 1}) as timestamp,
      i % ${EVENTS / LARGE_EVENTS} = 0 as is_large
    from generate_series(${from}, ${to}) i
  ), stored as (
    insert into events (project_id, uuid, event, distinct_id, timestamp, properties, created_at, whole)
    select 1, uuid, event, distinct_id, timestamp, jsonb_build_object('$browser', 'Firefox', '$pathname', '/page/' || i % 400,
      '$session_id', 's' || i % ${PERSONS} || '-' || i / 40000, 'plan', 'team', 'amount', i % 500, '$os', 'Linux', '$lib', 'web',
      'note', 'twelve months, paid by invoice'), now(),
      case when is_large then '{"text":"' || (select string_agg(md5(i || ' ' || n), '') from generate_series(1, 32000) n) || '"}' end
    from made
  )
  insert into facts (project_id, seq, person, timestamp, uuid, is_personless, may_change_person, event, distinct_id)
  select 1, i, i % ${PERSONS} + 1, timestamp, uuid, false, false, event, distinct_id from made`

const INSERT_PERSONS = `
  with ids as (
    insert into person_ids select 1, 'user ' || i - 1, i from generate_series(1, ${PERSONS}) i
  )
  insert into persons (project_id, number, uuid, created_at, has_profile, is_identified, properties)
  select 1, i, gen_random_uuid(), now(), true, true, '{"plan": "team"}' from generate_series(1, ${PERSONS}) i`

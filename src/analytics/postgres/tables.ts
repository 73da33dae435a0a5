import { sql } from 'kysely'
import { hasTable } from '#server/db/dialect.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'
import { missingEvents, newerEvents } from '../damaged-events.ts'
import { ensureInstallation, rememberEvents, requireOwnEvents } from '../installation.ts'
import { OUTBOX_SCHEMA, POSTGRES_SCHEMA } from '../schema-versions.ts'
import { EDIT_TABLES, GROUP_EDIT_TABLES } from './edit-tables.ts'
import { FACTS_TABLES, vacuumOften } from './facts.ts'
import { GROUP_TABLES } from './group-tables.ts'
import { lockAllPersons, lockEvents } from './locks.ts'
import { ifColumnIsMissing } from './missing-column.ts'
import { BASE_TABLES, PERSON_TABLES } from './person-tables.ts'
import { PROPERTY_TEXT } from './property-text.ts'

const MONTHS_BACK = 36
const MONTHS_AHEAD = 1

/**
 * `event_keys` lists the UUIDs of each project. A unique index on `events` would have to contain the time, by which it is
 * partitioned, so each new event would be searched in every month; and only a key across months prevents two servers
 * from storing the same event.
 */
const TABLES = [
  'create table if not exists event_store (schema_version integer not null)',
  `insert into event_store select ${POSTGRES_SCHEMA} where not exists (select from event_store)`,
  ifColumnIsMissing(
    'event_store',
    'installation',
    'alter table event_store add column installation text;',
  ),
  // where the events are: null for these tables
  ifColumnIsMissing('event_store', 'place', 'alter table event_store add column place text;'),
  `create table if not exists event_keys (
    project_id bigint not null,
    uuid uuid not null,
    primary key (project_id, uuid)
  )`,
  'create table if not exists event_versions (project_id bigint primary key, version bigint not null)',
  `create table if not exists events (
    project_id bigint not null,
    uuid uuid not null,
    event text collate "C" not null,
    distinct_id text collate "C" not null,
    timestamp timestamptz not null,
    properties jsonb not null,
    created_at timestamptz not null
  ) partition by range (timestamp)`,
  ifColumnIsMissing('events', 'whole', 'alter table events add column whole text;'),
  'create index if not exists events_by_time on events (project_id, timestamp desc, uuid desc)',
  'create index if not exists events_by_person on events (project_id, distinct_id)',
  'create table if not exists events_other partition of events default',
  // how far facts and persons of earlier events have been derived; null when all of them are
  ifColumnIsMissing(
    'event_store',
    'facts_up_to',
    `alter table event_store add column facts_up_to timestamptz, add column persons_up_to bigint;
      if exists (select from events) then update event_store set facts_up_to = '-infinity'; end if;`,
  ),
  ...PERSON_TABLES,
  ...BASE_TABLES,
  ...EDIT_TABLES,
  ...FACTS_TABLES,
  ...GROUP_TABLES,
  ...GROUP_EDIT_TABLES,
  ...PROPERTY_TEXT,
]

const PLACE = "PostgreSQL's table events"

export const hasEventTables = (db: Db): Promise<boolean> => hasTable(db, 'events')

/**
 * Throws if the tables are missing, newer or of another installation, and changes nothing then. Any number of servers
 * may call it at once.
 */
export const createEventTables = (db: Db): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await createTablesIn(tx)
    if ((await findPlace(tx)) !== null) throw new OperatorError(ELSEWHERE)
  })

const ELSEWHERE =
  'The events of this installation are in ClickHouse. Set EVENTS_URL to its address, or move them with `hedgerow move`.'

export async function findPlace(db: Db): Promise<string | null> {
  const { rows } = await sql<{ place: string | null }>`select place from event_store`.execute(db)
  return rows[0]?.place ?? null
}

export async function createTablesIn(tx: Tx): Promise<void> {
  await lockEvents(tx)
  const installation = await ensureInstallation(tx, () => hasEventTables(tx))
  if (installation.has_events && !(await hasEventTables(tx))) throw missingEvents(PLACE)
  await requireKnownSchema(tx)
  await createMissing(tx, TABLES)
  const { rows } = await sql<{ version: number; id: string | null }>`
      select schema_version as version, installation as id from event_store`.execute(tx)
  const { version = 0, id = null } = rows[0] ?? {}
  const { rows: some } = await sql`select 1 from events limit 1`.execute(tx)
  requireOwnEvents(installation, { id, isEmpty: some.length === 0 }, PLACE)
  if (version < POSTGRES_SCHEMA) {
    await sql`update event_store set schema_version = ${POSTGRES_SCHEMA}`.execute(tx)
  }
  if (id === null) await sql`update event_store set installation = ${installation.id}`.execute(tx)
  await rememberEvents(tx, installation)
}

/** Throws if a newer version has stored the events. Runs before statements that may not fit its tables. */
async function requireKnownSchema(tx: Tx): Promise<void> {
  if (!(await hasTable(tx, 'event_store'))) return
  const { rows } = await sql<{ version: number }>`
    select schema_version as version from event_store`.execute(tx)
  if ((rows[0]?.version ?? 0) > OUTBOX_SCHEMA) throw newerEvents(PLACE)
}

export async function createMissing(tx: Tx, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    if (!(await createsKnownIndex(tx, statement))) await sql.raw(statement).execute(tx)
  }
}

/** `create index if not exists` waits for all writers of the table even if the index exists, and may deadlock with them. */
async function createsKnownIndex(tx: Tx, statement: string): Promise<boolean> {
  const [, index] = /^create index if not exists (\w+)/.exec(statement) ?? []
  return index !== undefined && hasTable(tx, index)
}

/** Returns the month as `2026-01`, or undefined for distant times, which share one partition. */
export function toPartitionMonth(time: number, now = Date.now()): string | undefined {
  const [date, today] = [new Date(time), new Date(now)]
  const months = toMonths(date) - toMonths(today)
  if (months < -MONTHS_BACK || months > MONTHS_AHEAD) return undefined
  return date.toISOString().slice(0, 7)
}

const toMonths = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth()

/** Creates a month's partitions and moves the month's earlier events into them. */
export const createPartition = (db: Db, month: string): Promise<void> =>
  db.transaction().execute((tx) => createPartitionIn(tx, month))

export async function createPartitionIn(tx: Tx, month: string): Promise<void> {
  await lockEvents(tx)
  // waits for the transactions that take events in: a merge locks facts before events, other events lock them after
  await lockAllPersons(tx)
  // locks both before attaching one: a statement that changes facts and reads events already has a lock on facts
  await sql`lock table events, facts in share row exclusive mode`.execute(tx)
  for (const parent of ['events', 'facts']) await createMonthTable(tx, parent, month)
}

/** Lists the months that have a partition of events. */
export async function listMonths(db: Db): Promise<string[]> {
  const names = await listPartitions(db, 'events')
  return names.flatMap((name) => {
    const [, year, month] = /^events_([0-9]{4})_([0-9]{2})$/.exec(name) ?? []
    return year ? [`${year}-${month}`] : []
  })
}

export async function listPartitions(db: Db, parent: 'events' | 'facts'): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${parent}::regclass order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

async function createMonthTable(tx: Tx, parent: string, month: string): Promise<void> {
  const name = `${parent}_${month.replace('-', '_')}`
  if (await hasTable(tx, name)) return
  const table = sql.table(name)
  const from = sql.lit(`${month}-01T00:00:00Z`)
  const to = sql.lit(`${nextMonth(month)}-01T00:00:00Z`)
  await sql`create table ${table} (like ${sql.table(parent)} including all)`.execute(tx)
  if (parent === 'facts') await sql.raw(vacuumOften(name)).execute(tx)
  await sql`
    with early as (
      delete from ${sql.table(`${parent}_other`)} where timestamp >= ${from} and timestamp < ${to} returning *
    )
    insert into ${table} select * from early`.execute(tx)
  await sql`
    alter table ${sql.table(parent)} attach partition ${table} for values from (${from}) to (${to})`.execute(
    tx,
  )
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

/** The first needs PostgreSQL 17, the second a build with ICU; the last depends on the database's locale. */
const COLLATIONS = ['pg_c_utf8', 'und-x-icu', 'default']

export async function findCollation(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select collname as name from pg_collation where collname in (${sql.join(COLLATIONS)})
      and collencoding in (-1, (select encoding from pg_database where datname = current_database()))`.execute(
    db,
  )
  const known = rows.map(({ name }) => name)
  return COLLATIONS.find((collation) => known.includes(collation)) ?? 'default'
}

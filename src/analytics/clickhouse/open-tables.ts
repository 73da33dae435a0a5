import { sql } from 'kysely'
import { hasTable } from '#server/db/dialect.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'
import { foreignEvents, missingEvents, newerEvents } from '../damaged-events.ts'
import { lockEvents } from '../postgres/locks.ts'
import { createMissing, createTablesIn, findPlace } from '../postgres/tables.ts'
import { CLICKHOUSE_SCHEMA, OUTBOX_SCHEMA } from '../schema-versions.ts'
import type { ClickHouse } from './connection.ts'
import { PROGRESS_TABLE, toCreateStatements } from './create-tables.ts'
import { addColumns } from './materialize.ts'
import { OUTBOX_TABLES } from './outbox/outbox-tables.ts'
import { explain, probe } from './probe.ts'

/** The mark in PostgreSQL that events are elsewhere. */
const PLACE = 'clickhouse'

/** Creates what PostgreSQL needs to take events in. Throws if it has events itself. */
export const createOutbox = (db: Db): Promise<void> => db.transaction().execute(createOutboxIn)

export async function createOutboxIn(tx: Tx): Promise<void> {
  await createTablesIn(tx)
  await createMissing(tx, OUTBOX_TABLES)
  const { rows } = await sql`select 1 from events limit 1`.execute(tx)
  if (rows.length > 0) throw new OperatorError(IN_POSTGRES)
}

const IN_POSTGRES =
  'EVENTS_URL is set, but the events are in PostgreSQL. Move them to an empty database with `hedgerow move --to ... --events-to ...`, or remove EVENTS_URL.'

/** Checks the server and creates its tables. Throws if it has the events of another installation, or lost ours. */
export async function createStoreTables(db: Db, clickHouse: ClickHouse): Promise<void> {
  await probe(clickHouse)
  await db.transaction().execute(async (tx) => {
    await lockEvents(tx) // of many servers, one creates the tables
    await createAll(clickHouse)
    await requireOwn(tx, clickHouse)
    await addColumns(tx, clickHouse)
  })
}

export const createAll = (clickHouse: ClickHouse): Promise<void> =>
  explain(clickHouse, async () => {
    for (const statement of toCreateStatements(clickHouse.layout)) await clickHouse.run(statement)
  })

interface Marker {
  readonly installation: string
  readonly schema_version: number
}

async function requireOwn(tx: Tx, clickHouse: ClickHouse): Promise<void> {
  const { place } = clickHouse
  const { rows } = await sql<{ id: string }>`
    select installation as id from event_store`.execute(tx)
  const id = rows[0]?.id as string
  const isKnown = (await findPlace(tx)) === PLACE
  const [marker] = await clickHouse.read<Marker>(
    'select installation, schema_version from event_store',
  )
  if (marker && marker.installation !== id) throw foreignEvents(place)
  if (marker && marker.schema_version > CLICKHOUSE_SCHEMA) throw newerEvents(place)
  if (!marker && isKnown) throw missingEvents(place)
  if (!marker) await writeMarker(clickHouse, id)
  if (!isKnown) await rememberPlace(tx)
}

export const writeMarker = ({ run }: ClickHouse, id: string): Promise<void> =>
  run(
    `insert into event_store (installation, schema_version) values ('${id}', ${CLICKHOUSE_SCHEMA})`,
  )

/** Notes that ClickHouse has the events, so that PostgreSQL is not used without it. */
export async function rememberPlace(tx: Tx): Promise<void> {
  await sql`update event_store set place = ${PLACE}, schema_version = ${OUTBOX_SCHEMA}`.execute(tx)
}

/** Tells whether ClickHouse was used before. */
export const isKnown = async (db: Db): Promise<boolean> =>
  (await hasTable(db, 'outbox_events')) && (await findPlace(db)) === PLACE

/** Tells whether ClickHouse has the events of an installation. Those of an unfinished restore do not count. */
export async function hasStore({ read }: ClickHouse): Promise<boolean> {
  const tables = await read<{ name: string }>(`
    select name from system.tables where database = currentDatabase() and name in ('event_store', '${PROGRESS_TABLE}')`)
  const names = tables.map(({ name }) => name)
  if (!names.includes('event_store') || names.includes(PROGRESS_TABLE)) return false
  return (await read('select 1 from event_store')).length > 0
}

import type { DuckDBConnection } from '@duckdb/node-api'
import type { SeqRange } from '../derive/derived-tables.ts'
import { toPersonTables } from '../derive/sql/person-tables.ts'
import { applyIdentityEvents } from '../identity/apply-identity-events.ts'
import {
  type IdentityEvent,
  type PropertyTexts,
  toIdentityEvent,
} from '../identity/identity-event.ts'
import { IDENTITY_KEYS } from '../identity/identity-keys.ts'
import { PERSON_UUID } from '../identity/person-uuid.ts'
import { quote, toPointer } from './facts.ts'
import { readRows } from './read-rows.ts'
import { toRunner } from './runner.ts'
import { IN_RANGE, MAY_CHANGE } from './search-events.ts'

/** The temporary table of the IDs of the events that `identifyPersons` looks at, with their persons. */
export const IDS_OF_NEW_EVENTS = 'current_ids'

const COPY_CHANGES = `create or replace temp table identity_events as
  select seq, project_id, event, distinct_id, timestamp,
    json_extract_string(properties, [${IDENTITY_KEYS.map((key) => quote(toPointer(key))).join()}]) as texts
  from events left join person_bases using (project_id)
  where ${IN_RANGE} and ${MAY_CHANGE} and seq > coalesce(up_to, 0)`

const copyIds = (hasProfile: string, joins: string): string =>
  `create or replace temp table fresh_ids as
    select project_id, distinct_id, min(seq) as number, arg_min(timestamp, seq) as created_at, ${hasProfile} as has_profile
    from events ${joins} where ${IN_RANGE} group by project_id, distinct_id`

/** Copies the IDs of new events if all of them create a profile. */
const COPY_PLAIN_IDS = copyIds('true', '')

const COPY_IDS = copyIds(
  'bool_or(personless.seq is null and seq > coalesce(up_to, 0))',
  `left join (select seq from identity_events where texts[${IDENTITY_KEYS.length}] = 'false') personless using (seq)
    left join person_bases using (project_id)`,
)

/** Scans the known IDs once and looks them up in the IDs of new events, which are few. */
const FIND_KNOWN_IDS = `create or replace temp table ${IDS_OF_NEW_EVENTS} as
  select project_id, distinct_id, person from person_ids semi join fresh_ids using (project_id, distinct_id)`

const FIND_UNKNOWN_IDS = `create or replace temp table unknown_ids as
  select * from fresh_ids anti join ${IDS_OF_NEW_EVENTS} using (project_id, distinct_id)`

const HAS_PERSONLESS = 'select 1 from persons where not has_profile limit 1'

const ADD_PROFILES = `update persons set has_profile = true where not has_profile and number in (
  select person from ${IDS_OF_NEW_EVENTS} join fresh_ids using (project_id, distinct_id) where has_profile
)`

const INSERT_UNKNOWN = [
  `insert into persons
    select project_id, number, ${PERSON_UUID}, created_at, has_profile, false, '{}'
    from (select *, md5(project_id || ':' || distinct_id) as hash from unknown_ids)`,
  'insert into person_ids select project_id, distinct_id, number from unknown_ids',
  `insert into ${IDS_OF_NEW_EVENTS} select project_id, distinct_id, number from unknown_ids`,
]

/**
 * Derives the persons of a range of events. Runs in the caller's transaction. `hasChanges` says whether any may do more
 * than bring a new ID. After most batches few of the statements
 * have anything to do, and each takes a millisecond or more, hence the looks before.
 */
export async function identifyPersons(
  connection: DuckDBConnection,
  { after, upTo }: SeqRange,
  hasChanges: boolean,
): Promise<void> {
  const range = { after, upTo }
  if (hasChanges) await connection.run(COPY_CHANGES, range)
  await connection.run(hasChanges ? COPY_IDS : COPY_PLAIN_IDS, range)
  await connection.run(FIND_KNOWN_IDS)
  if (await hasRows(connection, HAS_PERSONLESS)) await connection.run(ADD_PROFILES)
  await connection.run(FIND_UNKNOWN_IDS)
  if (await hasRows(connection, 'select 1 from unknown_ids limit 1')) {
    for (const statement of INSERT_UNKNOWN) await connection.run(statement)
  }
  if (hasChanges) await applyChanges(connection)
}

async function applyChanges(connection: DuckDBConnection): Promise<void> {
  const tables = toPersonTables(toRunner(connection), ['facts', IDS_OF_NEW_EVENTS])
  for await (const events of readIdentityEvents(connection)) {
    await applyIdentityEvents(tables, events)
  }
}

const hasRows = async (connection: DuckDBConnection, statement: string): Promise<boolean> =>
  (await readRows(connection, statement)).length > 0

/** Limits the number of events in memory, each with its person. */
export const GROUP_SIZE = 4096

async function* readIdentityEvents(connection: DuckDBConnection): AsyncGenerator<IdentityEvent[]> {
  const texts = IDENTITY_KEYS.map((_, index) => `texts[${index + 1}]`).join()
  for (let last = 0, count = GROUP_SIZE; count === GROUP_SIZE; ) {
    const rows = await readRows<[number, number, string, string, ...PropertyTexts]>(
      connection,
      `select seq::double, project_id::double, event, distinct_id, ${texts}
        from identity_events where seq > ${last} order by seq limit ${GROUP_SIZE}`,
    )
    yield rows.map(([seq, projectId, event, distinctId, ...texts]) =>
      toIdentityEvent({ seq, projectId, event, distinctId }, texts),
    )
    count = rows.length
    last = rows.at(-1)?.[0] ?? last
  }
}

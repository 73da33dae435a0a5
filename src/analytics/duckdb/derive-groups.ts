import type { DuckDBConnection } from '@duckdb/node-api'
import type { SeqRange } from '../derive/derived-tables.ts'
import { toGroupTables } from '../derive/sql/group-tables.ts'
import { toGroupEvent } from '../groups/group-event.ts'
import { GROUP_EVENT, GROUP_EVENT_KEYS, GROUPS_KEY } from '../groups/group-keys.ts'
import { addNamedTypes, applyGroupEvents } from '../groups/groups.ts'
import type { PropertyTexts } from '../identity/identity-event.ts'
import { quote, toPointer } from './facts.ts'
import { GROUP_SIZE } from './identify.ts'
import { readRows } from './read-rows.ts'
import { toRunner } from './runner.ts'
import { IN_RANGE } from './search-events.ts'

const [TYPE_KEY] = GROUP_EVENT_KEYS

const FIND_TYPES = `with named as (
    select project_id, seq, distinct_id, timestamp, unnest(json_keys(properties, '/${GROUPS_KEY}')) as name
    from events where ${IN_RANGE} and contains(properties, '"${GROUPS_KEY}"')
    union all
    select project_id, seq, distinct_id, timestamp, json_extract_string(properties, '/${TYPE_KEY}')
    from events where ${IN_RANGE} and event = '${GROUP_EVENT}'
  )
  select project_id::double, name, min(seq)::double, arg_min(distinct_id, seq),
    epoch_ms(arg_min(timestamp, seq))::double
  from named where name is not null group by project_id, name`

/** Derives the groups of a range of events. Runs in the caller's transaction. */
export async function deriveGroups(connection: DuckDBConnection, range: SeqRange): Promise<void> {
  await registerTypes(connection, range)
  await applyEvents(connection, range)
}

async function registerTypes(connection: DuckDBConnection, range: SeqRange): Promise<void> {
  const reader = await connection.runAndReadAll(FIND_TYPES, { ...range })
  const rows = reader.getRows() as [number, string, number, string, number][]
  const named = rows.map(([projectId, name, seq, distinctId, timestamp]) => ({
    projectId,
    name,
    seq,
    distinctId,
    timestamp,
  }))
  await addNamedTypes(toGroupTables(toRunner(connection)), named)
}

async function applyEvents(connection: DuckDBConnection, { after, upTo }: SeqRange): Promise<void> {
  const tables = toGroupTables(toRunner(connection))
  const pointers = GROUP_EVENT_KEYS.map((key) => quote(toPointer(key))).join()
  for (let last = after, count = GROUP_SIZE; count === GROUP_SIZE; ) {
    const rows = await readRows<[number, number, string, number, ...PropertyTexts]>(
      connection,
      `select seq::double, project_id::double, distinct_id, ms, texts[1], texts[2], texts[3] from (
        select seq, project_id, distinct_id, epoch_ms(timestamp)::double as ms,
          json_extract_string(properties, [${pointers}]) as texts
        from events left join person_bases using (project_id)
        where seq > ${last} and seq <= ${upTo} and event = '${GROUP_EVENT}' and seq > coalesce(up_to, 0)
        order by seq limit ${GROUP_SIZE}
      )`,
    )
    const events = rows.flatMap(
      ([, projectId, distinctId, timestamp, ...texts]) =>
        toGroupEvent({ projectId, distinctId, timestamp }, texts) ?? [],
    )
    await applyGroupEvents(tables, events)
    count = rows.length
    last = rows.at(-1)?.[0] ?? last
  }
}

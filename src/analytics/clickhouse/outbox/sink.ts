import { sql } from 'kysely'
import { GROUPS_KEY } from '#server/analytics/groups/group-keys.ts'
import { GROUP_INDEXES, type GroupType } from '#server/analytics/groups/group-types.ts'
import type { IdentityChanges } from '#server/analytics/identity/identity.ts'
import { type NumberedRow, toGroupFields } from '#server/analytics/postgres/insert-rows.ts'
import { toRunner } from '#server/analytics/postgres/runner.ts'
import { type EventSink, findGroupTypes } from '#server/analytics/postgres/take-events.ts'
import { toField } from '#server/db/copy-rows.ts'
import type { Tx } from '#server/db/schema.ts'
import { markLongNumbers } from '../long-numbers.ts'

/** The columns of the lines in `outbox_events`. */
export const LINE_COLUMNS = [
  'project_id',
  'seq',
  'uuid',
  'event',
  'distinct_id',
  'person',
  'timestamp',
  'created_at',
  'is_personless',
  'may_change_person',
  'properties',
  'whole',
  'g0',
  'g1',
  'g2',
  'g3',
  'g4',
]

/** Puts events into the outbox, as lines that ClickHouse reads, and notes the persons that were merged. */
export const OUTBOX_SINK: EventSink = {
  copies: [],
  async open(tx, arrivals) {
    const types = await findGroupTypes(tx, arrivals)
    return {
      async write(rows, identify) {
        await recordMoves(tx, await identify())
        await insertChunk(tx, rows, toLines(rows, types))
      },
      complete: async () => {},
    }
  },
}

/** Earlier events of a merged person keep its number, which queries replace until it is changed in all of them. */
export async function recordMoves(tx: Tx, moves: IdentityChanges['moves']): Promise<void> {
  if (moves.length === 0) return
  const given = await toRunner(tx).given(
    'given',
    { source: 'bigint', target: 'bigint' },
    moves.map(({ from, to }) => [from, to]),
  )
  await sql`update person_moves set person = target from ${given} where person = source`.execute(tx)
  await sql`
    insert into person_moves (number, project_id, person)
    select source, project_id, target from ${given} join persons on number = target
    on conflict (number) do update set person = excluded.person`.execute(tx)
}

async function insertChunk(tx: Tx, rows: readonly NumberedRow[], lines: string): Promise<void> {
  const projects = [...new Set(rows.map(({ row }) => row.projectId))]
  await sql`
    insert into outbox_events (projects, events, bytes, lines)
    values (${projects}::bigint[], ${rows.length}, ${Buffer.byteLength(lines)}, ${lines})`.execute(
    tx,
  )
}

export function toLines(rows: readonly NumberedRow[], types: readonly GroupType[]): string {
  const now = Date.now()
  let lines = ''
  for (const { row, seq, arrival, id, createdAt } of rows) {
    const { projectId, uuid, event, distinct_id, timestamp, properties, fullProperties } = row
    const arrived = createdAt === undefined ? now : Date.parse(createdAt)
    lines += `${projectId}\t${seq}\t${uuid}\t${toField(event)}\t${toField(distinct_id)}\t${id.person}\t${timestamp}\t${arrived}\t${arrival.isPersonless}\t${arrival.mayChangePerson}\t${toField(markLongNumbers(properties))}\t${toField(fullProperties)}${toKeys(types, row)}\n`
  }
  return lines
}

const NO_KEYS = GROUP_INDEXES.map(() => '\t\\N').join('')

/** Most events name no group, and parsing their properties takes longest. */
const toKeys = (
  types: readonly GroupType[],
  { projectId, properties }: NumberedRow['row'],
): string =>
  types.some((type) => type.projectId === projectId) && properties.includes(`"${GROUPS_KEY}"`)
    ? toGroupFields(types, projectId, JSON.parse(properties))
    : NO_KEYS

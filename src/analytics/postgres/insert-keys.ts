import { sql } from 'kysely'
import type pg from 'pg'
import { toPlainArray } from '#server/db/array-text.ts'
import { copyRows } from '#server/db/copy-rows.ts'
import type { Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import { MAX_CHUNK_ROWS } from '../event-batch.ts'
import type { Arrival } from './arrivals.ts'

/**
 * Inserts the keys of all events and returns which are new; of an event that occurs twice, the first. Fails if another
 * server inserts one of them at the same time: see `isTaken`. Inserts in key order, so that the two cannot deadlock.
 */
export async function insertKeys(tx: Tx, arrivals: readonly Arrival[]): Promise<boolean[]> {
  const fresh = arrivals.map(() => false)
  for (const chunk of chunksOf(toUniqueKeys(arrivals), MAX_CHUNK_ROWS)) {
    const known = await findKeys(tx, chunk)
    const inserted = known.size === 0 ? chunk : chunk.filter((_, place) => !known.has(place))
    if (inserted.length === 0) continue
    const lines = inserted.map(({ projectId, uuid }) => `${projectId}\t${uuid}\n`)
    await copyRows(tx, 'event_keys', ['project_id', 'uuid'], lines.join(''))
    for (const { index } of inserted) fresh[index] = true
  }
  return fresh
}

/** Tells whether the error means that another server has stored one of the events. The transaction may begin again. */
export const isTaken = (error: unknown): boolean =>
  (error as Partial<pg.DatabaseError>).constraint === 'event_keys_pkey'

interface Key extends Pick<Arrival, 'projectId' | 'uuid'> {
  /** The position of its event in the batch. */
  readonly index: number
}

/** Returns each key once, with its first event. */
function toUniqueKeys(arrivals: readonly Arrival[]): Key[] {
  const sorted = arrivals
    .map(({ projectId, uuid }, index) => ({ projectId, uuid, index }))
    .sort(byKey)
  return sorted.filter((key, place) => {
    const before = sorted[place - 1]
    return before?.uuid !== key.uuid || before.projectId !== key.projectId
  })
}

const byKey = (one: Key, other: Key): number => {
  if (one.projectId !== other.projectId) return one.projectId - other.projectId
  if (one.uuid === other.uuid) return one.index - other.index
  return one.uuid < other.uuid ? -1 : 1
}

/** Finds the places of the keys that are stored. */
async function findKeys(tx: Tx, keys: readonly Key[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ place: number }>`
    select place from unnest(
      ${toPlainArray(keys.map(({ projectId }) => projectId))}::bigint[],
      ${toPlainArray(keys.map(({ uuid }) => uuid))}::uuid[]
    ) with ordinality as given (project_id, uuid, place)
    where (
      select true from event_keys known
      where known.project_id = given.project_id and known.uuid = given.uuid
    )`.execute(tx)
  return new Set(rows.map(({ place }) => place - 1))
}

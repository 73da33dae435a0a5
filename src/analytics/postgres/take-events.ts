import type { Tx } from '#server/db/schema.ts'
import { findTypes } from '../derive/sql/group-tables.ts'
import { type EventBatch, toChunks } from '../event-batch.ts'
import type { GroupType } from '../groups/group-types.ts'
import type { IdentityChanges } from '../identity/identity.ts'
import { type Arrival, changePersons } from './arrivals.ts'
import { addTypes, changeGroups, findProjectsWithNewTypes } from './change-groups.ts'
import { insertKeys } from './insert-keys.ts'
import { type ArrivedId, findPersons, insertPersons, toArrivedIds } from './insert-persons.ts'
import {
  copyEvents,
  copyFacts,
  type FactColumns,
  type NumberedRow,
  toEventLines,
  toFactLines,
} from './insert-rows.ts'
import { lockPersons } from './locks.ts'
import { readMaterialized } from './materialized-columns.ts'
import { toRunner } from './runner.ts'
import { takeNumbers } from './sequence.ts'

/** The place of new events, in the transaction that takes them in. */
export interface EventSink {
  /** Tables that have the number of each ID's person, as `person_ids` has. */
  readonly copies: readonly string[]
  open(tx: Tx, arrivals: readonly Arrival[]): Promise<RowWriter>
}

export interface RowWriter {
  /** Calls `identify` before it reads the persons of the rows. Their merges are returned. */
  write(
    rows: readonly NumberedRow[],
    identify: () => Promise<IdentityChanges['moves']>,
  ): Promise<void>
  complete(): Promise<void>
}

/**
 * Takes in the events that are not stored yet and returns which these are. Writes in chunks, because the client writes
 * a statement on the main thread. `arrivals` are those of the batch. Calls `onOrdered` when the events of another
 * transaction get later numbers, and find the persons of these.
 */
export async function takeEvents(
  { tx, sink }: { readonly tx: Tx; readonly sink: EventSink },
  batch: EventBatch,
  arrivals: readonly Arrival[],
  onOrdered: () => void,
): Promise<boolean[]> {
  const fresh = await insertKeys(tx, arrivals)
  const newArrivals = arrivals.filter((_, index) => fresh[index])
  if (newArrivals.length === 0) return fresh
  const withNewTypes = await findProjectsWithNewTypes(tx, newArrivals)
  await lockPersons(tx, toLocks(newArrivals, withNewTypes))
  const { numbers, areIdentified } = await takeNumbers(tx, newArrivals.length)
  const ids = toArrivedIds(newArrivals, numbers)
  const distinctIds = [...new Set(ids)]
  // during a rebuild, the event of a new ID has the person 0 until the rebuild reaches it
  await findPersons(tx, distinctIds)
  if (areIdentified) await insertPersons(tx, distinctIds)
  await addTypes(tx, newArrivals, numbers)
  onOrdered()
  const writer = await sink.open(tx, newArrivals)
  let index = 0
  let place = 0
  for (const chunk of toChunks(batch)) {
    const rows: NumberedRow[] = []
    for (const row of chunk) {
      if (!fresh[index++]) continue
      const [seq, arrival, id] = [numbers[place], newArrivals[place], ids[place]]
      rows.push({ row, seq, arrival, id } as NumberedRow)
      place++
    }
    if (rows.length === 0) continue
    await writer.write(rows, async () => {
      if (!areIdentified) return []
      const moves = await changePersons(tx, rows, sink.copies)
      movePersons(distinctIds, moves)
      await changeGroups(tx, rows)
      return moves
    })
  }
  await writer.complete()
  return fresh
}

/** Inserts events and facts. Prepares the lines of one table while PostgreSQL copies those of the other. */
export const TABLES_SINK: EventSink = {
  copies: ['facts'],
  async open(tx, arrivals) {
    const columns = await readFactColumns(tx, arrivals)
    let copying: Promise<void> = Promise.resolve()
    return {
      async write(rows, identify) {
        const events = toEventLines(rows)
        await copying
        await identify()
        copying = copyEvents(tx, events)
        copying.catch(() => {}) // it is awaited later
        const facts = toFactLines(columns, rows)
        await copying
        copying = copyFacts(tx, columns, facts)
        copying.catch(() => {})
      },
      complete: () => copying,
    }
  },
}

function toLocks(
  arrivals: readonly Arrival[],
  withNewTypes: ReadonlySet<number>,
): Map<number, 'shared' | 'exclusive'> {
  const locks = new Map<number, 'shared' | 'exclusive'>()
  for (const { projectId, mayChangePerson, changesGroup } of arrivals) {
    if (mayChangePerson || changesGroup || withNewTypes.has(projectId))
      locks.set(projectId, 'exclusive')
    else if (!locks.has(projectId)) locks.set(projectId, 'shared')
  }
  return locks
}

/** Reads the columns of facts that the events may fill. */
export const readFactColumns = async (
  tx: Tx,
  arrivals: readonly Arrival[],
): Promise<FactColumns> => ({
  materialized: await readMaterialized(tx),
  types: await findGroupTypes(tx, arrivals),
})

/** Finds the types of groups of the projects whose events name groups. */
export async function findGroupTypes(
  tx: Tx,
  arrivals: readonly Arrival[],
): Promise<readonly GroupType[]> {
  const withGroups = arrivals.filter(({ groupTypes }) => groupTypes.length > 0)
  const projects = new Set(withGroups.map(({ projectId }) => projectId))
  return projects.size === 0 ? [] : findTypes(toRunner(tx), [...projects])
}

function movePersons(
  ids: readonly ArrivedId[],
  moves: readonly { readonly from: number; readonly to: number }[],
): void {
  if (moves.length === 0) return
  const targets = new Map(moves.map(({ from, to }) => [from, to]))
  for (const id of ids) id.person = targets.get(id.person) ?? id.person
}

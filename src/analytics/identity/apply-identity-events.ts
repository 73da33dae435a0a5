import { giveWay } from '#server/turns.ts'
import {
  createIdentity,
  type DistinctId,
  type IdentityChanges,
  type PersonState,
} from './identity.ts'
import type { IdentityEvent } from './identity-event.ts'

export type IdKey = Omit<DistinctId, 'person'>

/** The tables of persons of one database, in the caller's transaction. */
export interface PersonTables {
  /** Reads the persons of these IDs; IDs without a person are omitted. */
  find(
    ids: readonly IdKey[],
  ): Promise<{ readonly ids: readonly DistinctId[]; readonly persons: readonly PersonState[] }>
  write(changes: IdentityChanges): Promise<void>
}

/** Applies events to their persons, in the order in which they are given. Returns the persons that were merged. */
export async function applyIdentityEvents(
  tables: PersonTables,
  events: readonly IdentityEvent[],
): Promise<IdentityChanges['moves']> {
  if (events.length === 0) return []
  const { ids, persons } = await tables.find(events.flatMap(toIdKeys))
  const identity = createIdentity(ids, persons)
  for (const [index, event] of events.entries()) {
    if (index % 500 === 499) await giveWay()
    identity.apply(event)
  }
  const changes = identity.changes()
  await tables.write(changes)
  return changes.moves
}

const toIdKeys = ({ projectId, distinctId, merge }: IdentityEvent): IdKey[] => [
  { projectId, distinctId },
  ...(merge ? [{ projectId, distinctId: merge.otherId }] : []),
]

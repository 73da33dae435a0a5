import type { Tx } from '#server/db/schema.ts'
import { findTypes, toGroupTables } from '../derive/sql/group-tables.ts'
import { toGroupEvent } from '../groups/group-event.ts'
import { GROUP_EVENT_KEYS } from '../groups/group-keys.ts'
import { MAX_GROUP_TYPES, type NamedType } from '../groups/group-types.ts'
import { addNamedTypes, applyGroupEvents } from '../groups/groups.ts'
import { readPropertyTexts } from '../identity/identity-event.ts'
import type { Arrival, NumberedEvent } from './arrivals.ts'
import { toRunner } from './runner.ts'

/** Finds the projects whose types of groups these events add to. */
export async function findProjectsWithNewTypes(
  tx: Tx,
  arrivals: readonly Arrival[],
): Promise<ReadonlySet<number>> {
  const named = toNamedTypes(arrivals, [])
  if (named.length === 0) return new Set()
  const projectIds = [...new Set(named.map(({ projectId }) => projectId))]
  const types = await findTypes(toRunner(tx), projectIds)
  const byProject = Map.groupBy(types, ({ projectId }) => projectId)
  const isNew = ({ projectId, name }: NamedType): boolean => {
    const known = byProject.get(projectId) ?? []
    return known.length < MAX_GROUP_TYPES && !known.some((type) => type.name === name)
  }
  return new Set(named.filter(isNew).map(({ projectId }) => projectId))
}

/** Adds the types of groups that events name first. The caller holds the lock of the projects that have new ones. */
export const addTypes = (
  tx: Tx,
  arrivals: readonly Arrival[],
  numbers: readonly number[],
): Promise<void> => addNamedTypes(toGroupTables(toRunner(tx)), toNamedTypes(arrivals, numbers))

/** Lists each type once, with the first event that names it. */
function toNamedTypes(arrivals: readonly Arrival[], numbers: readonly number[]): NamedType[] {
  const named = new Map<string, NamedType>()
  for (const [at, { projectId, distinctId, timestamp, groupTypes }] of arrivals.entries()) {
    for (const name of groupTypes) {
      const key = `${projectId} ${name}`
      if (named.has(key)) continue
      named.set(key, { projectId, name, seq: numbers[at] ?? at, distinctId, timestamp })
    }
  }
  return [...named.values()]
}

/** Changes the groups of events, in their order of arrival. */
export const changeGroups = (tx: Tx, events: readonly NumberedEvent[]): Promise<void> =>
  applyGroupEvents(
    toGroupTables(toRunner(tx)),
    events
      .filter(({ arrival }) => arrival.changesGroup)
      .flatMap(
        ({ arrival, row }) =>
          toGroupEvent(arrival, readPropertyTexts(row.properties, GROUP_EVENT_KEYS)) ?? [],
      ),
  )

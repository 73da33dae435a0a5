import type { JsonObject } from '#model/json.ts'
import type { IdentityEvent, Merge } from './identity-event.ts'
import { isMergeable } from './mergeable.ts'

/** A person as the event store keeps it. Numbers are unique among all projects. */
export interface PersonState {
  readonly number: number
  readonly projectId: number
  /** The `seq` of its first event: to earlier events the person does not exist yet. */
  readonly since: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly isIdentified: boolean
  readonly hasProfile: boolean
  readonly properties: JsonObject
}

export interface DistinctId {
  readonly projectId: number
  readonly distinctId: string
  readonly person: number
}

/** Upstream's names, which clients know. */
export type WarningType =
  | 'cannot_merge_with_illegal_distinct_id'
  | 'cannot_merge_already_identified'
  | 'invalid_event_when_process_person_profile_is_false'
  | 'person_properties_size_violation'
  // our own: upstream has no warning for it
  | 'group_type_limit_exceeded'
  | 'group_properties_size_violation'

export interface IdentityWarning {
  readonly projectId: number
  readonly type: WarningType
  readonly distinctId: string
  readonly otherId: string | null
}

export interface IdentityChanges {
  /** IDs that had no person. */
  readonly newIds: readonly DistinctId[]
  /** Persons that became part of another one, which was not merged itself. */
  readonly moves: readonly { readonly from: number; readonly to: number }[]
  /** Persons whose fields changed, without those that were merged away. */
  readonly changed: readonly PersonState[]
  readonly warnings: readonly IdentityWarning[]
}

/** In characters of JSON: enough for a profile, and a limit on the data read and written for each of its events. */
export const MAX_PROPERTIES_LENGTH = 32 * 1024

export interface Identity {
  /** Applies the next event in order of arrival. */
  apply(event: IdentityEvent): void
  changes(): IdentityChanges
}

/**
 * Applies events to the persons of their IDs. `ids` must have the ID of every event, and of the IDs that they merge
 * those that have a person; `persons` must have the persons of all of them.
 */
export function createIdentity(
  ids: readonly DistinctId[],
  persons: readonly PersonState[],
): Identity {
  const numbers = new Map(ids.map((id) => [toKey(id.projectId, id.distinctId), id.person]))
  const states = new Map(persons.map((person) => [person.number, person]))
  const moves = new Map<number, number>()
  const changed = new Set<number>()
  const newIds = new Map<string, DistinctId>()
  const warnings: IdentityWarning[] = []

  function find(number: number): number {
    let current = number
    for (let next = moves.get(current); next !== undefined; next = moves.get(current)) {
      current = next
    }
    return current
  }

  const findNumber = (projectId: number, distinctId: string): number | undefined => {
    const number = numbers.get(toKey(projectId, distinctId))
    return number === undefined ? undefined : find(number)
  }

  const warn = (
    { projectId, distinctId, merge }: IdentityEvent,
    type: IdentityWarning['type'],
  ): void => void warnings.push({ projectId, type, distinctId, otherId: merge?.otherId ?? null })

  function change(number: number, fields: Partial<PersonState>): void {
    states.set(number, { ...(states.get(number) as PersonState), ...fields })
    changed.add(number)
  }

  function mergeInto(number: number, event: IdentityEvent, { otherId, force }: Merge): void {
    const { projectId, distinctId } = event
    const other = findNumber(projectId, otherId)
    if (other === number) return
    if (!isMergeable(distinctId) || !isMergeable(otherId)) {
      warn(event, 'cannot_merge_with_illegal_distinct_id')
    } else if (other === undefined) {
      addId(projectId, otherId, number)
    } else if (states.get(other)?.isIdentified && !force) {
      warn(event, 'cannot_merge_already_identified')
    } else {
      absorb(number, other, event)
    }
  }

  function addId(projectId: number, distinctId: string, person: number): void {
    const key = toKey(projectId, distinctId)
    numbers.set(key, person)
    newIds.set(key, { projectId, distinctId, person })
  }

  /** Merges the other person into this one, whose properties win, or are kept alone if all of them are too large. */
  function absorb(number: number, other: number, event: IdentityEvent): void {
    const [target, source] = [states.get(number), states.get(other)] as [PersonState, PersonState]
    const merged = { ...source.properties, ...target.properties }
    const isFitting = fits(merged)
    if (!isFitting) warn(event, 'person_properties_size_violation')
    moves.set(other, number)
    changed.delete(other)
    change(number, {
      createdAt:
        source.since > event.seq ? target.createdAt : Math.min(target.createdAt, source.createdAt),
      hasProfile: target.hasProfile || source.hasProfile,
      properties: isFitting ? merged : target.properties,
    })
  }

  function update(number: number, event: IdentityEvent): void {
    const { properties } = states.get(number) as PersonState
    const updated = toUpdated(properties, event)
    if (updated === properties) return
    if (fits(updated)) change(number, { properties: updated })
    else warn(event, 'person_properties_size_violation')
  }

  return {
    apply(event) {
      if (event.isPersonless) {
        if (event.identifies) warn(event, 'invalid_event_when_process_person_profile_is_false')
        return
      }
      const number = findNumber(event.projectId, event.distinctId) as number
      if (event.merge) mergeInto(number, event, event.merge)
      if (event.identifies && isMergeable(event.distinctId)) {
        if (!states.get(number)?.isIdentified) change(number, { isIdentified: true })
      }
      if (event.isTooLarge) warn(event, 'person_properties_size_violation')
      update(number, event)
    },
    changes: () => ({
      newIds: [...newIds.values()].map((id) => ({ ...id, person: find(id.person) })),
      moves: [...moves.keys()].map((from) => ({ from, to: find(from) })),
      changed: [...changed].map((number) => states.get(number) as PersonState),
      warnings,
    }),
  }
}

const toKey = (projectId: number, distinctId: string): string => `${projectId} ${distinctId}`

export const fits = (properties: JsonObject): boolean =>
  JSON.stringify(properties).length <= MAX_PROPERTIES_LENGTH

/** Returns the same object if nothing changes. */
export function toUpdated(
  properties: JsonObject,
  { set, setOnce, unset }: Pick<IdentityEvent, 'set' | 'setOnce' | 'unset'>,
): JsonObject {
  const added = Object.entries(setOnce).filter(([key]) => !Object.hasOwn(properties, key))
  const replaced = Object.entries(set).filter(([key, value]) => !hasValue(properties, key, value))
  const removed = new Set(unset)
  const updated = [...Object.entries(properties), ...added, ...replaced]
  const kept = updated.filter(([key]) => !removed.has(key))
  const isSame = added.length + replaced.length === 0 && kept.length === updated.length
  return isSame ? properties : Object.fromEntries(kept)
}

const hasValue = (properties: JsonObject, key: string, value: unknown): boolean =>
  Object.hasOwn(properties, key) && JSON.stringify(properties[key]) === JSON.stringify(value)

import { isObject, type JsonObject } from '#model/json.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'

/** Computes the groups of one project from its events in order of arrival, without duplicates: slow and obvious. */

export interface ExpectedGroup {
  readonly createdAt: number
  readonly updatedAt: number
  readonly properties: JsonObject
}

export interface Groups {
  /** The names of the types by their index. */
  readonly types: readonly string[]
  /** Groups by the index of their type and their key. */
  readonly groups: ReadonlyMap<string, ExpectedGroup>
  /** The key of an event's group of each type, or null. */
  keysOf(event: NewEvent): readonly (string | null)[]
}

export function deriveGroups(events: readonly NewEvent[]): Groups {
  const types: string[] = []
  const groups = new Map<string, ExpectedGroup>()
  for (const event of events) {
    for (const name of namesIn(event).toSorted()) {
      const isAdded = types.length < 5 && name !== '' && !types.includes(name)
      if (isAdded) types.push(name)
    }
    identify(event)
  }
  const keysOf = (event: NewEvent) => types.map((type) => keyIn(groupsIn(event), type))
  return { types, groups, keysOf }

  function identify({ event, timestamp, properties: text }: NewEvent): void {
    const { $group_type, $group_key, $group_set }: JsonObject = JSON.parse(text)
    const index = types.indexOf(String($group_type))
    if (event !== '$groupidentify' || index === -1 || !$group_key) return
    const id = `${index} ${cut(String($group_key))}`
    const at = Date.parse(timestamp)
    const before = groups.get(id) ?? { createdAt: at, updatedAt: at, properties: {} }
    const properties = new Map(Object.entries(before.properties))
    if (isObject($group_set)) {
      for (const [key, value] of Object.entries($group_set)) properties.set(key, value)
    }
    const after = Object.fromEntries(properties)
    const isSame = JSON.stringify(after) === JSON.stringify(before.properties)
    groups.set(id, isSame ? before : { ...before, updatedAt: at, properties: after })
  }
}

function groupsIn({ properties }: NewEvent): JsonObject {
  const { $groups }: JsonObject = JSON.parse(properties)
  return isObject($groups) ? $groups : {}
}

function namesIn(event: NewEvent): string[] {
  const { $group_type }: JsonObject = JSON.parse(event.properties)
  const names = Object.keys(groupsIn(event))
  return event.event === '$groupidentify' && $group_type ? [...names, String($group_type)] : names
}

function keyIn(groups: JsonObject, type: string): string | null {
  const key = Object.hasOwn(groups, type) ? groups[type] : null
  if (key === '' || key === null || typeof key === 'object') return null
  return cut(String(key))
}

const cut = (key: string): string => [...key].slice(0, 200).join('')

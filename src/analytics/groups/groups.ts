import type { JsonObject } from '#model/json.ts'
import type { GroupEdit } from '../event-store.ts'
import { fits, type IdentityWarning, toUpdated } from '../identity/identity.ts'
import type { GroupEvent } from './group-event.ts'
import { addGroupTypes, type GroupType, type NamedType } from './group-types.ts'

/** A group as the event store keeps it. */
export interface GroupState {
  readonly projectId: number
  /** The index of its type. */
  readonly index: number
  readonly key: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly properties: JsonObject
}

export type GroupKey = Pick<GroupState, 'projectId' | 'index' | 'key'>

/** The tables of groups of one database, in the caller's transaction. */
export interface GroupTables {
  findTypes(projectIds: readonly number[]): Promise<readonly GroupType[]>
  insertTypes(types: readonly GroupType[]): Promise<void>
  /** Reads the groups that exist; the others are omitted. */
  find(groups: readonly GroupKey[]): Promise<readonly GroupState[]>
  /** Writes groups, which may be new. */
  write(groups: readonly GroupState[]): Promise<void>
  insertWarnings(warnings: readonly IdentityWarning[]): Promise<void>
}

/** Adds the types of groups that events name first. */
export async function addNamedTypes(
  tables: GroupTables,
  named: readonly NamedType[],
): Promise<void> {
  if (named.length === 0) return
  const known = await tables.findTypes([...new Set(named.map(({ projectId }) => projectId))])
  const { added, warnings } = addGroupTypes(known, named)
  await tables.insertTypes(added)
  await tables.insertWarnings(warnings)
}

/** Applies events to their groups, in the order in which they are given. Events of an unknown type change nothing. */
export async function applyGroupEvents(
  tables: GroupTables,
  events: readonly GroupEvent[],
): Promise<void> {
  if (events.length === 0) return
  const types = await tables.findTypes([...new Set(events.map(({ projectId }) => projectId))])
  const indexes = new Map(types.map((type) => [toTypeKey(type.projectId, type.name), type.index]))
  const known = events.flatMap((event) => {
    const index = indexes.get(toTypeKey(event.projectId, event.type))
    return index === undefined ? [] : [{ event, id: { ...event, index } }]
  })
  const found = await tables.find(known.map(({ id }) => id))
  const groups = new Map(found.map((group) => [toKey(group), group]))
  const changed = new Map<string, GroupState>()
  const warnings: IdentityWarning[] = []
  for (const { event, id } of known) {
    const key = toKey(id)
    const before = groups.get(key)
    const { group, isRefused } = updateGroup(before, id, event)
    if (isRefused) {
      const { projectId, distinctId } = event
      warnings.push({
        projectId,
        type: 'group_properties_size_violation',
        distinctId,
        otherId: event.key,
      })
    }
    if (group === before) continue
    groups.set(key, group)
    changed.set(key, group)
  }
  await tables.write([...changed.values()])
  await tables.insertWarnings(warnings)
}

/** Tells whether an edit can be made: a group is updated if it exists, and created if it does not. */
export async function canEditGroup(
  tables: GroupTables,
  projectId: number,
  { kind, index, key }: GroupEdit,
): Promise<boolean> {
  const types = await tables.findTypes([projectId])
  const found = await tables.find([{ projectId, index, key }])
  return types.some((type) => type.index === index) && (kind === 'create') === (found.length === 0)
}

/** Makes an edit as if an event had brought it. */
export async function applyGroupEdit(
  tables: GroupTables,
  projectId: number,
  { index, key, timestamp, set, unset }: GroupEdit,
): Promise<void> {
  const types = await tables.findTypes([projectId])
  const type = types.find((each) => each.index === index)
  if (!type) return
  const change = { key, set, unset, isTooLarge: false, distinctId: '' }
  const time = Date.parse(timestamp)
  await applyGroupEvents(tables, [{ ...change, projectId, type: type.name, timestamp: time }])
}

/** Returns the same group if nothing changes. */
function updateGroup(
  before: GroupState | undefined,
  { projectId, index, key }: GroupKey,
  event: GroupEvent,
): { readonly group: GroupState; readonly isRefused: boolean } {
  const { timestamp } = event
  const group = before ?? {
    projectId,
    index,
    key,
    createdAt: timestamp,
    updatedAt: timestamp,
    properties: {},
  }
  const properties = toUpdated(group.properties, { ...event, setOnce: {} })
  if (properties === group.properties) return { group, isRefused: event.isTooLarge }
  if (!fits(properties)) return { group, isRefused: true }
  return { group: { ...group, properties, updatedAt: timestamp }, isRefused: event.isTooLarge }
}

const toTypeKey = (projectId: number, name: string): string => `${projectId} ${name}`

const toKey = ({ projectId, index, key }: GroupKey): string => `${projectId} ${index} ${key}`

import type { IdentityWarning } from '../identity/identity.ts'

/** Each type has a column in facts. */
export const MAX_GROUP_TYPES = 5
export const GROUP_INDEXES: readonly number[] = [...Array(MAX_GROUP_TYPES).keys()]

const MAX_NAME = 200

export interface GroupType {
  readonly projectId: number
  /** From 0, in the order of arrival. It never changes, because queries name it. */
  readonly index: number
  readonly name: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** The first of some events that names a type. */
export interface NamedType {
  readonly projectId: number
  readonly name: string
  readonly seq: number
  readonly distinctId: string
  readonly timestamp: number
}

/** Adds the types that are not known yet, in the order of arrival, and of those in one event by name. */
export function addGroupTypes(
  known: readonly GroupType[],
  named: readonly NamedType[],
): { readonly added: readonly GroupType[]; readonly warnings: readonly IdentityWarning[] } {
  const names = Map.groupBy(known, ({ projectId }) => projectId)
  const added: GroupType[] = []
  const warnings: IdentityWarning[] = []
  for (const { projectId, name, distinctId, timestamp } of named.toSorted(byArrival)) {
    const types = names.get(projectId) ?? []
    if (types.some((type) => type.name === name)) continue
    if (types.length < MAX_GROUP_TYPES && isName(name)) {
      const type = { projectId, index: types.length, name, createdAt: timestamp }
      added.push(type)
      names.set(projectId, [...types, type])
    } else {
      const otherId = name.slice(0, MAX_NAME).toWellFormed()
      warnings.push({ projectId, type: 'group_type_limit_exceeded', distinctId, otherId })
    }
  }
  return { added, warnings }
}

const isName = (name: string): boolean => name !== '' && name.length <= MAX_NAME

function byArrival(one: NamedType, other: NamedType): number {
  if (one.seq !== other.seq) return one.seq - other.seq
  return one.name < other.name ? -1 : 1
}

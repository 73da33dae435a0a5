import type { RecordedEdit } from '#server/analytics/derive/derived-tables.ts'
import type { EventRow } from '#server/analytics/event-row.ts'
import type { GroupType } from '#server/analytics/groups/group-types.ts'
import type { GroupState } from '#server/analytics/groups/groups.ts'
import type {
  DistinctId,
  IdentityWarning,
  PersonState,
} from '#server/analytics/identity/identity.ts'

/** An event does not have its person: reading resolves it by its ID, as a store that cannot update events must. */
export interface MemoryEvent extends EventRow {
  readonly seq: number
  /** Deleted events are not read, and go when the store finds time. */
  isDeleted: boolean
}

export interface Derived {
  readonly persons: Map<number, PersonState>
  readonly ids: Map<string, DistinctId>
  readonly groups: Map<string, GroupState>
}

export interface State extends Derived {
  readonly events: MemoryEvent[]
  readonly types: GroupType[]
  readonly edits: RecordedEdit[]
  readonly warnings: IdentityWarning[]
  readonly kept: Map<number, Derived & { readonly upTo: number }>
  lastNumber: number
  mark: number | undefined
}

export const toIdKey = ({ projectId, distinctId }: Omit<DistinctId, 'person'>) =>
  `${projectId} ${distinctId}`
export const toGroupKey = ({
  projectId,
  index,
  key,
}: Omit<GroupState, 'createdAt' | 'updatedAt' | 'properties'>) => `${projectId} ${index} ${key}`

export const emptyState = (): State => ({
  events: [],
  types: [],
  edits: [],
  warnings: [],
  kept: new Map(),
  persons: new Map(),
  ids: new Map(),
  groups: new Map(),
  lastNumber: 0,
  mark: undefined,
})

import type { Role } from './draft.ts'

/** The roles of values in a record, in the order of the form. */
export const ROLES: readonly {
  readonly role: Role
  readonly name: string
  readonly action: string
  /** Says what happens without a value. */
  readonly unset: string
}[] = [
  { role: 'id', name: 'ID', action: 'Use as ID', unset: 'none: records are compared by content' },
  { role: 'person', name: 'Person', action: 'Use as person', unset: 'not chosen yet' },
  { role: 'time', name: 'Time', action: 'Use as time', unset: 'when it is imported' },
]

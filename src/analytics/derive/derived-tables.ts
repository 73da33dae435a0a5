import type { GroupEdit, PersonEdit, PropertyMatch } from '../event-store.ts'
import type { GroupTables } from '../groups/groups.ts'
import type { PersonTables } from '../identity/apply-identity-events.ts'

/** Events and edits by their number in the order of arrival. */
export interface SeqRange {
  readonly after: number
  readonly upTo: number
}

/** An edit that a rebuild repeats after the event with the number `seq`. */
export interface RecordedEdit {
  readonly seq: number
  readonly projectId: number
  readonly change: { readonly person: PersonEdit } | { readonly group: GroupEdit }
}

/** Events of a project: all, those of some IDs, or those before a time. */
export interface EventsToDelete {
  readonly projectId: number
  readonly ids?: readonly string[]
  readonly before?: string
}

/** The next events of a rebuild, in their order of arrival. */
export interface Step {
  /** The number up to which edits belong to the step; infinite if it has the last events. */
  readonly upTo: number
  /** The number of the last event. */
  readonly last: number
  readonly count: number
  readonly isLast: boolean
  /** Derives the persons and groups of the events in a range of the step. */
  derive(range: SeqRange): Promise<void>
}

/**
 * The persons, groups, edits and events of one engine during one change, which no other change of the same persons
 * interrupts. The change is stored in whole or not at all; how is up to the engine.
 */
export interface DerivedTables {
  readonly persons: PersonTables
  readonly groups: GroupTables
  /** Returns a number after all events so far, or undefined while persons and groups are being rebuilt. */
  takePlace(): Promise<number | undefined>

  recordEdit(edit: RecordedEdit): Promise<void>
  /** Lists edits in their order, without those that the kept persons of their project include. */
  listEdits(range: SeqRange): Promise<readonly RecordedEdit[]>

  listIds(person: number): Promise<readonly string[]>
  /** Moves IDs of a person, with their events, to new persons that have no properties. */
  separateIds(from: SeparatedIds): Promise<void>
  /** Gives a person the UUID of a person whose first ID is this one. */
  resetUuid(projectId: number, person: number, distinctId: string): Promise<void>
  /** Deletes a person that has no IDs any more. */
  deletePerson(person: number): Promise<void>

  /** Deletes IDs with their edits and warnings, and the persons that have no other IDs, also from the kept ones. */
  deleteIds(projectId: number, ids: readonly string[]): Promise<void>
  /** Returns all IDs of the kept persons of some IDs. */
  listKeptIds(projectId: number, ids: readonly string[]): Promise<readonly string[]>
  /** Returns the IDs without events, and the other IDs of persons who have none left. */
  listUnused(projectId: number, ids: readonly string[]): Promise<readonly string[]>
  /** Deletes a project's persons, groups, edits and warnings. */
  deleteProject(projectId: number): Promise<void>
  /** Returns the number of deleted events. */
  deleteEvents(events: EventsToDelete): Promise<number>
  /** Deletes the events with a text in a property, and returns their IDs. */
  deleteMatching(
    projectId: number,
    match: PropertyMatch,
  ): Promise<{ readonly deleted: number; readonly ids: readonly string[] }>

  /** Deletes the groups with a text in a property, also from the kept ones, and their edits. */
  deleteGroups(projectId: number, match: PropertyMatch): Promise<void>

  /** Saves a project's persons and groups, with which a rebuild starts, because some of their events are gone. */
  keepPersons(projectId: number, upTo: number): Promise<void>
  /** Replaces all persons and groups with those that were kept. */
  restoreKept(): Promise<void>
  /** Returns the number up to which persons and groups are derived, or undefined if all are. */
  findMark(): Promise<number | undefined>
  setMark(seq: number): Promise<void>
  readStep(after: number): Promise<Step>
}

export interface SeparatedIds {
  readonly projectId: number
  readonly person: number
  readonly ids: readonly string[]
  readonly hasProfile: boolean
}

import type { Tx } from '../db/schema.ts'
import type { JsonObject } from '../model/json.ts'
import type { PackedEvents } from './event-batch.ts'
import type { EventQuery, StatementRow } from './event-table.ts'
import type { EventSnapshot } from './portable-tables.ts'
import type { Runaways } from './runaways.ts'

/** ISO 8601, UTC, milliseconds; of the years 1 to 9999. */
type Time = string

export interface NewEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: Time
  /** A JSON object as text, written by `toPropertiesText`. The store does not validate it. */
  readonly properties: string
}

export interface StoredEvent extends NewEvent {
  /** The time of arrival. */
  readonly created_at: Time
}

/** Names one event; with the time it is found faster. */
export type EventKey = Pick<NewEvent, 'uuid' | 'timestamp'>

export interface EventFilter {
  /** Limits the list to these events. */
  readonly keys?: readonly EventKey[] | undefined
  readonly event?: string | undefined
  readonly distinctId?: string | undefined
  /** The number of a person, to list the events of all its IDs. */
  readonly person?: number | undefined
  /** Exclusive. */
  readonly after?: Time | undefined
  /** Exclusive. */
  readonly before?: Time | undefined
  /** The time of arrival, exclusive. Events are not sorted by it, so `after` should narrow the search. */
  readonly arrivedAfter?: Time | undefined
  readonly limit: number
  readonly offset: number
}

/** Reports how many of the events have been processed. */
export type OnProgress = (done: number, total: number) => void

export interface StoreOptions {
  /** Reports the progress of deriving persons from stored events, which may take a minute after an upgrade. */
  readonly onProgress?: OnProgress | undefined
  readonly runaways: Runaways
  /** Reports what an operator should know, such as that a server cannot be reached. */
  readonly warn?: ((message: string) => void) | undefined
}

/** A change of a person by its users. `distinctId` is any of the person's IDs. */
export type PersonEdit = { readonly distinctId: string } & (
  | { readonly kind: 'update'; readonly set: JsonObject; readonly unset: readonly string[] }
  /** Gives each other ID a person of its own. */
  | { readonly kind: 'split' }
  /** Deletes the profile. The events stay, and each ID becomes a person of its own. */
  | { readonly kind: 'delete' }
)

/** A change of a group by its users. */
export interface GroupEdit {
  readonly kind: 'create' | 'update'
  /** The index of the group's type. */
  readonly index: number
  readonly key: string
  readonly timestamp: Time
  readonly set: JsonObject
  readonly unset: readonly string[]
}

/** The events of one append. Only `countNew` knows which of them were new. */
export interface Appended {
  /** The number of the first event, on DuckDB. */
  readonly first: number
  /** All of them on DuckDB, which finds duplicates later; only the new ones on PostgreSQL. */
  readonly count: number
}

export interface PropertyMatch {
  readonly key: string
  readonly value: string
}

export interface SnapshotOptions {
  /** Later projects are left out. */
  readonly lastProjectId: number
  /** The transaction on PostgreSQL that sees one moment of the database of the projects. */
  readonly tx?: Tx | undefined
  /** The folder for parts, for engines that can write anywhere. */
  readonly folder?: string | undefined
}

/** Events and changes that PostgreSQL has taken in, and that the database of the events does not have yet. */
export interface OutboxState {
  readonly events: number
  readonly bytes: number
  /** Events are refused above it. */
  readonly maxBytes: number
  /** The age of the oldest event. */
  readonly seconds: number
  /** Persons that were merged into others, whose events still have their old number. */
  readonly mergedPersons: number
  readonly deletions: number
}

/** Append-only events of every project. Within a project, the first event with a UUID wins. */
export interface EventStore {
  /** Resolves when the events are durable; stores all of them or none. Concurrent callers share a commit. */
  append(projectId: number, events: readonly NewEvent[]): Promise<Appended>
  /** Appends events that another thread has prepared, because preparing many of them takes long. */
  appendPacked(projectId: number, events: readonly PackedEvents[]): Promise<Appended>
  /** Counts the appended events that were not stored before. */
  countNew(projectId: number, appended: readonly Appended[]): Promise<number>
  /** Newest first. */
  list(projectId: number, filter: EventFilter): Promise<StoredEvent[]>
  count(projectId: number): Promise<number>
  /** Runs a statement over one project's events. */
  query(projectId: number, query: EventQuery): Promise<StatementRow[]>
  /** Changes whenever the result of a query of this project could. */
  version(projectId: number): Promise<string>
  /** Returns whether the ID has a person. */
  editPerson(projectId: number, edit: PersonEdit): Promise<boolean>
  /** Deletes the person of an ID with all its IDs and their events, and returns the number of events. */
  deletePerson(projectId: number, distinctId: string): Promise<number>
  /** Returns whether the edit was made: an update needs an existing group, a creation a new key. */
  editGroup(projectId: number, edit: GroupEdit): Promise<boolean>
  deleteBefore(projectId: number, time: Time): Promise<number>
  /** Deletes the ingestion warnings of all projects from before a time. */
  deleteWarningsBefore(time: Time): Promise<void>
  deleteProject(projectId: number): Promise<number>
  /**
   * Deletes the events and the groups with a text in a property, and the persons who have no other events. Returns the
   * number of events.
   */
  deleteByProperty(projectId: number, property: PropertyMatch): Promise<number>
  /** Rebuilds all persons and groups, or resumes an interrupted rebuild. Queries wait on DuckDB, not on PostgreSQL. */
  rebuildPersons(onProgress: OnProgress): Promise<void>
  /** Rebuilds everything that is derived from the events: facts, persons and groups. No server may run meanwhile. */
  rebuildDerived(onProgress: OnProgress): Promise<void>
  /** Makes changes wait until the transaction of a snapshot has begun. Returns what lets them continue. */
  holdChanges?(): Promise<() => Promise<void>>
  /** Opens the events as they are now, or as the transaction sees them. */
  openSnapshot(options: SnapshotOptions): Promise<EventSnapshot>
  /** Returns the bytes on disk, without opening the store. */
  readSize(): Promise<number>
  /** Returns what waits, if PostgreSQL takes events in for another database. Does not need that database. */
  readOutbox?(): Promise<OutboxState>
  /** Returns the highest number of parts that one month's events have, if the database of the events merges parts. */
  readParts?(): Promise<number>
  /** Throws if events currently cannot be read, or are missing. */
  requireReady(): Promise<void>
  /** Throws an `OperatorError` if events are missing, damaged or of another installation. Reads them for `timeoutMs`. */
  requireIntact(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

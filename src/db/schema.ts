import type { Generated, Kysely, Transaction } from 'kysely'
import type { AccountTables } from './account-tables.ts'
import type { ActionTables } from './action-tables.ts'
import type { AnnotationTables } from './annotation-tables.ts'
import type { CohortTables } from './cohort-tables.ts'
import type { CommentTables } from './comment-tables.ts'
import type { DashboardTables } from './dashboard-tables.ts'
import type { DefinitionTables } from './definition-tables.ts'
import type { EmbedTables } from './embed-tables.ts'
import type { GroupTables } from './group-tables.ts'
import type { ImportAppTables } from './import-app-tables.ts'
import type { NotificationTables } from './notification-tables.ts'
import type { SavedViewTables } from './saved-view-tables.ts'
import type { Flag, Json, Time } from './values.ts'

/** A database, or a transaction in it. */
export type Db = Kysely<Schema>
/** Required by functions whose statements must be atomic. */
export type Tx = Transaction<Schema>

export interface Schema
  extends ActionTables,
    AnnotationTables,
    CohortTables,
    CommentTables,
    DefinitionTables,
    EmbedTables,
    GroupTables,
    DashboardTables,
    ImportAppTables,
    NotificationTables,
    SavedViewTables,
    AccountTables {
  /** The keys that encrypt stored secrets, each with a proof to check a given key against. */
  secret_keys: { id: string; proof: string; created_at: Time }
  /** One row: the ID by which the event store recognizes this database, and whether there is an event store. */
  installation: { only_row: 1; id: string; has_events: Flag }
  /** One row: the state of the backups that servers and workers make on a schedule. */
  scheduled_backups: {
    only_row: 1
    /** The first check of the schedule. */
    since: Time
    /** The worker that makes a backup, until its lease ends. */
    holder: string | null
    lease_until: Time | null
    claimed_at: Time | null
    /** The last backup contains everything up to this time. */
    succeeded_at: Time | null
    file: string | null
    bytes: number | null
    events: number | null
    duration_ms: number | null
    failed_at: Time | null
    problem: string | null
    /** When admins were told that the last backup is too old. */
    notified_at: Time | null
  }
  activity: {
    id: Generated<number>
    project_id: number
    scope: string
    item_id: number
    activity: string
    user_id: number | null
    detail: Json
    created_at: Time
  }
  /** Query results, keyed by everything the query depends on except the events and the time. */
  query_results: {
    key: string
    project_id: number
    /** The versions of the project's events and of the calendar. A result of another version is stale. */
    version: string
    period: string
    results: Json | null
    /** For tables: the columns, their types, and whether there are more rows. */
    details: Json
    /** The error of an invalid query, instead of results. */
    problem: Json | null
    computed_at: Time
    duration_ms: number
  }
}

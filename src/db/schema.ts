import type { Generated, Kysely, Transaction } from 'kysely'
import type { AccessTables } from './access-tables.ts'
import type { DashboardTables } from './dashboard-tables.ts'
import type { AlertTables } from './notification-tables.ts'
import type { PeopleTables } from './people-tables.ts'
import type { Flag, Json, Time } from './values.ts'

/** A database or a transaction in it. */
export type Db = Kysely<Schema>
/** Work that must not be half done. */
export type Tx = Transaction<Schema>

export interface Schema extends AccessTables, AlertTables, DashboardTables, PeopleTables {
  organizations: { id: string; name: string; created_at: Time }
  /** One row. Its version moves with every change of users, memberships, keys and projects. */
  access_state: { id: number; version: number }
  projects: {
    id: Generated<number>
    uuid: string
    organization_id: string
    name: string
    api_token: string
    timezone: string
    created_at: Time
    /** Moves with every change in the project. */
    version: Generated<number>
    /** Kept, not counted: counting 100,000 rows takes 5 ms, as long as 20 lists of 100. */
    live_dashboards: Generated<number>
    trashed_dashboards: Generated<number>
    live_configs: Generated<number>
    trashed_configs: Generated<number>
    /** Events older than this are deleted. null: kept for ever. */
    retention_days: number | null
    /** Property filters: whoever they leave out is of the team. */
    test_account_filters: Generated<Json>
    /** 0 Sunday, 1 Monday. */
    week_start_day: Generated<0 | 1>
  }
  /** Their events may still be there: an id is never given twice, so they can be deleted at any time. */
  removed_projects: { id: number; removed_at: Time }
  users: {
    id: Generated<number>
    uuid: string
    distinct_id: string
    first_name: string
    last_name: string
    email: string
    /** The e-mail in lower case: unique. */
    email_key: string
    is_email_verified: Flag
    /** In the organisation: 1 member, 8 admin, 15 owner. */
    level: number
    current_project_id: number | null
    password_hash: string | null
    created_at: Time
    /** Set: they are in no organisation any more. The row stays, so that records still say who made them. */
    removed_at: Time | null
  }
  project_members: { project_id: number; user_id: number; added_at: Time }
  api_keys: {
    id: string
    user_id: number
    label: string
    hash: string
    mask: string
    scopes: Json
    /** null: every project its owner reaches. */
    projects: Json | null
    expires_at: Time | null
    created_at: Time
    last_used_at: Time | null
    description: string | null
    last_rolled_at: Time | null
  }
  plugins: {
    id: Generated<number>
    name: string
    version: string
    description: string
    config_schema: Json
    public_jobs: Json
    capabilities: Json
    built_in: Flag
    created_at: Time
    updated_at: Time
    plugin_type: Generated<'built_in' | 'local' | 'custom' | 'source'>
    /** Where it was installed from: `npm:name`, `file:...`; null for source sent to the API. */
    url: string | null
    /** The version that is installed, and the newest that was seen where it came from. */
    tag: string | null
    latest_tag: string | null
    icon: string | null
    /** What a child process runs: one script, compiled from the files. */
    code: Generated<string>
    /** Which compiler made `code`; another one makes it anew. */
    compiled_by: Generated<string>
  }
  plugin_files: {
    plugin_id: number
    name: string
    source: string
    /** Of `frontend.tsx`: the module that is served, or why there is none. */
    compiled: string | null
    problem: string | null
  }
  plugin_configs: {
    id: Generated<number>
    project_id: number
    /** No foreign key: a config may wait for its plugin. */
    plugin_id: number
    enabled: Flag
    position: number
    name: string | null
    description: string | null
    /** A JSON document, sealed. */
    settings: string
    deleted: Flag
    created_at: Time
    updated_at: Time
  }
  runs: {
    id: string
    project_id: number
    config_id: number
    kind: 'job' | 'schedule'
    name: string
    payload: Json
    operation: string
    state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
    message: string
    created_by: number | null
    created_at: Time
    started_at: Time | null
    finished_at: Time | null
    /** Not before this. */
    run_at: Generated<Time>
    /** How often a worker has taken it. */
    attempt: Generated<number>
    worker: string | null
    heartbeat_at: Time | null
    cancel_requested: Generated<Flag>
    done: Generated<number>
    total: number | null
    /** What the app says it is doing. */
    progress: Generated<string>
    /** How many it has captured. */
    events: Generated<number>
    retry_of: string | null
    /** Unique: a tick of a schedule makes one run, whichever server sees it first. */
    once_key: string | null
  }
  app_logs: {
    id: Generated<number>
    project_id: number
    config_id: number
    run_id: string | null
    created_at: Time
    source: 'SYSTEM' | 'PLUGIN' | 'CONSOLE'
    type: 'DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR'
    message: string
  }
  /** By the hour, kept for 30 days. */
  app_metrics: {
    config_id: number
    hour: Time
    runs_succeeded: number
    runs_failed: number
    deliveries_succeeded: number
    deliveries_failed: number
    events: number
  }
  app_storage: { config_id: number; key: string; value: Json }
  app_cache: {
    project_id: number
    plugin_id: number
    key: string
    value: string
    expires_at: Time | null
  }
  attachments: {
    id: string
    project_id: number
    /** null: it is still arriving, or about to be deleted. */
    config_id: number | null
    key: string
    file_name: string
    content_type: string
    size: number
    /** While it arrives: when the last piece came. */
    created_at: Time
  }
  /** Pieces of at most 1 MiB, each sealed by itself, so that a file of any size can be streamed. */
  attachment_chunks: { attachment_id: string; position: number; sealed: Uint8Array }
  /** Which keys seal what is stored, and a proof that a key is the one meant. */
  secret_keys: { id: string; proof: string; created_at: Time }
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
  /** What queries have answered, by everything that the question depends on but the events and the time. */
  query_results: {
    key: string
    project_id: number
    /** Of the project's events, and of the calendar: another one may give another answer. */
    version: string
    period: string
    results: Json | null
    /** Columns and types of a table, and whether there is more of it. */
    details: Json
    /** Instead of results: what is wrong with the question. */
    problem: Json | null
    computed_at: Time
    duration_ms: number
  }
}

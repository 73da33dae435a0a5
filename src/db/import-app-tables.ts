import type { Generated } from 'kysely'
import type { Flag, Json, Time } from './values.ts'

/** Import apps: their code, their configs, and everything they run, log and store. */
export interface ImportAppTables {
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
    /** The origin of the installation: `npm:name`, `file:...`, or null for source sent to the API. */
    url: string | null
    /** The installed version, and the newest one seen at the origin. */
    tag: string | null
    latest_tag: string | null
    icon: string | null
    /** The script that an app's process runs, compiled from the files. */
    code: Generated<string>
    /** The compiler of `code`. A newer compiler compiles it again. */
    compiled_by: Generated<string>
    /** The requests of other services that it takes, and how they are verified; null if it takes none. */
    receives: Json | null
  }
  plugin_files: {
    plugin_id: number
    name: string
    source: string
    /** For `frontend.tsx`: the module that browsers load, or the reason why there is none. */
    compiled: string | null
    problem: string | null
  }
  plugin_configs: {
    id: Generated<number>
    project_id: number
    /** Not a foreign key, because a config may exist before its plugin. */
    plugin_id: number
    enabled: Flag
    position: number
    name: string | null
    description: string | null
    /** A JSON document, encrypted. */
    settings: string
    deleted: Flag
    created_at: Time
    updated_at: Time
    /** When it was last enabled, or got another app. Ticks up to this time do not fire. */
    scheduled_from: Generated<Time>
    /** null: the times of its app. */
    schedule: Json | null
    /** A period such as `1d`. null: until its second scheduled run. */
    expected_every: string | null
    /** The rule by which its runs are repeated after a temporary failure; null: they are not. */
    retry: Json | null
    /** The properties of its events and their types, as of its last run; null before the first. */
    event_shape: Json | null
    /** The rules by which its requests are kept; null: the defaults. */
    intake: Json | null
  }
  /** The secret part of the addresses to which other services send requests. */
  webhook_addresses: {
    token: string
    config_id: number
    created_at: Time
    /** null: never. */
    expires_at: Time | null
  }
  /** Requests of other services, which the app of the config handles in the order of their IDs. */
  webhook_requests: {
    id: Generated<number>
    project_id: number
    config_id: number
    /** The sender's ID of the delivery, which it repeats when it tries again; unique if it sends none. */
    delivery: string
    received_at: Time
    method: string
    content_type: string
    /** In bytes, of the body. */
    size: number
    /** A JSON document, encrypted. */
    content: string
  }
  /** The state of a request, apart from its content, which each change would write again. */
  webhook_states: {
    id: number
    config_id: number
    state: 'waiting' | 'done' | 'failed'
    /** The run that handled it last. */
    run_id: string | null
    message: Generated<string>
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
    /** The earliest start, and the place in the queue of the config. */
    run_at: Generated<Time>
    /** The earliest start of the next attempt. The run keeps its place in the queue. */
    retry_at: Time | null
    /** The number of times a worker has started it. */
    attempt: Generated<number>
    /** The number of attempts that failed temporarily. */
    retries: Generated<number>
    worker: string | null
    heartbeat_at: Time | null
    cancel_requested: Generated<Flag>
    done: Generated<number>
    total: number | null
    /** The app's latest progress message. */
    progress: Generated<string>
    /** The number of captured events. */
    events: Generated<number>
    /** The number of captured events that were not stored before; null while it is unknown, and in test runs. */
    new_events: number | null
    /** The number of rows that the app could not import. */
    skipped: Generated<number>
    /** Whether it is a test run, which stores nothing. */
    dry_run: Generated<Flag>
    retry_of: string | null
    /** The difference of its events to those of earlier runs, in words. */
    schema_change: string | null
    /** The app that it was queued for; null in runs of earlier versions. */
    plugin_id: number | null
    /** Whether the app queued it, or the run that it retries; then its job need not be public. */
    by_app: Generated<Flag>
    /** The backfill of which it imports a window. */
    backfill_id: string | null
  }
  /** Imports of the past, in windows of which one run at a time imports the next. */
  backfills: {
    id: string
    project_id: number
    config_id: number
    plugin_id: number
    from_time: Time
    to_time: Time
    /** null: all streams of the app. */
    streams: Json | null
    /** The length of a window, such as `1d`. */
    chunk: string
    state: 'running' | 'paused' | 'failed' | 'succeeded' | 'cancelled'
    message: Generated<string>
    windows: number
    windows_done: Generated<number>
    /** The counts of finished windows. */
    events: Generated<number>
    new_events: Generated<number>
    skipped: Generated<number>
    created_by: number | null
    created_at: Time
    finished_at: Time | null
  }
  /** The first events of a test run. */
  run_previews: { run_id: string; events: Json }
  /** The first rows that a run skipped, with the reasons. */
  run_skipped_rows: { run_id: string; position: number; reason: string; content: string }
  /** The last tick of a scheduled task that fired or was skipped. */
  schedule_ticks: { config_id: number; task: string; tick: Time }
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
  /** Hourly counts, kept for 30 days. */
  app_metrics: {
    config_id: number
    hour: Time
    runs_succeeded: number
    runs_failed: number
    deliveries_succeeded: number
    deliveries_failed: number
    events: number
  }
  app_storage: { config_id: number; key: string; value: Json; size: number }
  /** The sum of the sizes. Its row is also the lock of a config's storage. */
  app_storage_totals: {
    config_id: number
    bytes: number
    /** Increases with each change of the storage. */
    version: Generated<number>
  }
  app_cache: {
    project_id: number
    plugin_id: number
    key: string
    /** Empty for a list. */
    value: string
    /** The number of items of a list. null: not a list. */
    length: number | null
    /** In bytes, with the items of a list. */
    size: number
    expires_at: Time | null
  }
  app_cache_items: {
    project_id: number
    plugin_id: number
    key: string
    position: number
    value: string
  }
  /** The sum of the sizes. Its row is also the lock of an app's cache in a project. */
  app_cache_totals: { project_id: number; plugin_id: number; bytes: number }
  attachments: {
    id: string
    project_id: number
    /** null while the file is uploaded, and before it is deleted. */
    config_id: number | null
    key: string
    file_name: string
    content_type: string
    size: number
    /** During the upload, the time of the last chunk. */
    created_at: Time
  }
  /** Chunks of at most 1 MiB, each encrypted separately, so that a file of any size can be streamed. */
  attachment_chunks: { attachment_id: string; position: number; sealed: Uint8Array }
}

/**
 * The tables of the database in a backup, each with the columns that order its rows. A table comes after those that it
 * refers to, because this is the order in which a restore fills them.
 */
export const METADATA_TABLES = {
  organizations: ['id'],
  access_state: ['id'],
  projects: ['id'],
  removed_projects: ['id'],
  users: ['id'],
  second_factors: ['user_id'],
  passkeys: ['id'],
  recovery_codes: ['user_id', 'hash'],
  scim_tokens: ['id'],
  scim_users: ['user_id'],
  scim_groups: ['id'],
  scim_group_members: ['group_id', 'user_id'],
  project_members: ['project_id', 'user_id'],
  api_keys: ['id'],
  invites: ['id'],
  secret_keys: ['id'],
  plugins: ['id'],
  plugin_files: ['plugin_id', 'name'],
  plugin_configs: ['id'],
  backfills: ['id'],
  runs: ['id'],
  run_previews: ['run_id'],
  run_skipped_rows: ['run_id', 'position'],
  schedule_ticks: ['config_id', 'task'],
  app_logs: ['id'],
  app_metrics: ['config_id', 'hour'],
  app_storage: ['config_id', 'key'],
  app_storage_totals: ['config_id'],
  app_cache: ['project_id', 'plugin_id', 'key'],
  app_cache_items: ['project_id', 'plugin_id', 'key', 'position'],
  app_cache_totals: ['project_id', 'plugin_id'],
  attachments: ['id'],
  webhook_addresses: ['token'],
  webhook_requests: ['id'],
  webhook_states: ['id'],
  activity: ['id'],
  dashboards: ['id'],
  insights: ['id'],
  texts: ['id'],
  tiles: ['id'],
  collaborators: ['id'],
  share_links: ['id'],
  replaced_links: ['token'],
  link_views: ['link_id', 'day'],
  embed_secrets: ['id'],
  embed_settings: ['project_id'],
  link_snapshots: ['link_id', 'position'],
  link_guests: ['id'],
  link_guest_views: ['link_id', 'address', 'day'],
  dashboard_templates: ['project_id', 'id'],
  alerts: ['id'],
  subscriptions: ['id'],
  deliveries: ['id'],
  cohorts: ['id'],
  cohort_members: ['project_id', 'cohort_id', 'distinct_id'],
  group_type_names: ['project_id', 'group_type'],
  annotations: ['id'],
  comments: ['id'],
  comment_mentions: ['id'],
  actions: ['id'],
  saved_views: ['id'],
  definition_details: ['id'],
} as const satisfies Record<string, readonly string[]>

export type MetadataTable = keyof typeof METADATA_TABLES

export const METADATA_TABLE_NAMES = Object.keys(METADATA_TABLES) as MetadataTable[]

/** The contents of attachments, as files of the archive. */
export const FILES_TABLE = 'attachment_chunks'

/** Tables that no backup contains, and why. */
export const LEFT_OUT = {
  sessions: 'a stolen backup must not sign anyone in, and a session that was ended must not return',
  one_time_tokens:
    'links that were used or replaced must not return, and a restore must not finish a sign-in',
  link_codes: 'end within minutes, and a stolen backup must not open a link',
  passkey_challenges: 'a restore must not finish a sign-in',
  query_results: 'computed again when somebody looks at them',
  scheduled_backups: 'describes files of the installation that made the backup',
  installation: 'each restore is an installation of its own',
  schema_migrations: 'listed in the manifest',
} as const

export type Row = Readonly<Record<string, string | number | null>>

/** A part of an attachment, encrypted. */
export interface FileChunk {
  readonly attachment_id: string
  readonly position: number
  readonly sealed: Uint8Array
}

/** The database as it was at one moment. */
export interface MetadataSnapshot {
  readonly migrations: readonly string[]
  /** The highest ID that each table has given. */
  readonly lastIds: Readonly<Record<string, number>>
  rows(table: MetadataTable): AsyncIterable<Row> | Iterable<Row>
  files(): AsyncIterable<FileChunk> | Iterable<FileChunk>
  close(): Promise<void>
}

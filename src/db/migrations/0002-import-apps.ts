import type { Migration } from '../migrate.ts'

export const importApps: Migration = {
  name: '0002-import-apps',
  up: ({ id, int, text, bytes, table }) => [
    `alter table projects add column retention_days ${int}`,

    `alter table plugins add column plugin_type ${text} not null default 'built_in'`,
    `alter table plugins add column url ${text}`,
    `alter table plugins add column tag ${text}`,
    `alter table plugins add column latest_tag ${text}`,
    `alter table plugins add column icon ${text}`,
    `alter table plugins add column code ${text} not null default ''`,
    `alter table plugins add column compiled_by ${text} not null default ''`,
    `create table plugin_files (
      plugin_id ${int} not null references plugins (id) on delete cascade,
      name ${text} not null,
      source ${text} not null,
      compiled ${text},
      problem ${text},
      primary key (plugin_id, name)
    ) ${table}`,

    `alter table runs add column run_at ${text} not null default ''`,
    `alter table runs add column attempt ${int} not null default 0`,
    `alter table runs add column worker ${text}`,
    `alter table runs add column heartbeat_at ${text}`,
    `alter table runs add column cancel_requested ${int} not null default 0 check (cancel_requested in (0, 1))`,
    `alter table runs add column done ${int} not null default 0`,
    `alter table runs add column total ${int}`,
    `alter table runs add column progress ${text} not null default ''`,
    `alter table runs add column events ${int} not null default 0`,
    `alter table runs add column retry_of ${text}`,
    `alter table runs add column once_key ${text}`,
    `create unique index runs_once on runs (once_key)`,
    // enforces that two workers cannot claim two runs of one config at the same time
    `create unique index runs_one_at_a_time on runs (config_id) where state = 'running'`,
    `create index runs_due on runs (run_at, id) where state = 'queued'`,
    `create index runs_created on runs (created_at)`,

    `create table app_logs (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      config_id ${int} not null references plugin_configs (id) on delete cascade,
      run_id ${text},
      created_at ${text} not null,
      source ${text} not null check (source in ('SYSTEM', 'PLUGIN', 'CONSOLE')),
      type ${text} not null check (type in ('DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR')),
      message ${text} not null
    ) ${table}`,
    `create index app_logs_config on app_logs (config_id, id)`,
    `create table app_metrics (
      config_id ${int} not null references plugin_configs (id) on delete cascade,
      hour ${text} not null,
      runs_succeeded ${int} not null,
      runs_failed ${int} not null,
      deliveries_succeeded ${int} not null,
      deliveries_failed ${int} not null,
      events ${int} not null,
      primary key (config_id, hour)
    ) ${table}`,
    `create table app_storage (
      config_id ${int} not null references plugin_configs (id) on delete cascade,
      key ${text} not null,
      value ${text} not null,
      primary key (config_id, key)
    ) ${table}`,
    `create table app_cache (
      project_id ${int} not null references projects (id) on delete cascade,
      plugin_id ${int} not null,
      key ${text} not null,
      value ${text} not null,
      expires_at ${text},
      primary key (project_id, plugin_id, key)
    ) ${table}`,

    `create table attachments (
      id ${text} primary key,
      project_id ${int} not null references projects (id) on delete cascade,
      config_id ${int} references plugin_configs (id) on delete cascade,
      key ${text} not null,
      file_name ${text} not null,
      content_type ${text} not null,
      size ${int} not null,
      created_at ${text} not null,
      unique (config_id, key)
    ) ${table}`,
    `create index attachments_loose on attachments (created_at) where config_id is null`,
    `create table attachment_chunks (
      attachment_id ${text} not null references attachments (id) on delete cascade,
      position ${int} not null,
      sealed ${bytes} not null,
      primary key (attachment_id, position)
    ) ${table}`,
    `create table secret_keys (
      id ${text} primary key,
      proof ${text} not null,
      created_at ${text} not null
    ) ${table}`,
  ],
}

import type { Migration } from '../migrate.ts'

/**
 * Stores the sizes of apps' stored values, which are limited, and the cache's lists as rows. Drops cached values, which
 * apps may lose at any time.
 */
export const appStateSizes: Migration = {
  name: '0013-app-state-sizes',
  up: ({ int, text, table }) => [
    `alter table app_storage add column size ${int} not null default 0`,
    `update app_storage set size = octet_length(key) + octet_length(value) + 100`,
    `create table app_storage_totals (
      config_id ${int} primary key references plugin_configs (id) on delete cascade,
      bytes ${int} not null
    ) ${table}`,
    `insert into app_storage_totals (config_id, bytes)
      select config_id, sum(size) from app_storage group by config_id`,

    `drop table app_cache`,
    `create table app_cache (
      project_id ${int} not null references projects (id) on delete cascade,
      plugin_id ${int} not null,
      key ${text} not null,
      value ${text} not null,
      length ${int},
      size ${int} not null,
      expires_at ${text},
      primary key (project_id, plugin_id, key)
    ) ${table}`,
    `create index app_cache_expiry on app_cache (expires_at, project_id, plugin_id)`,
    `create table app_cache_items (
      project_id ${int} not null,
      plugin_id ${int} not null,
      key ${text} not null,
      position ${int} not null,
      value ${text} not null,
      primary key (project_id, plugin_id, key, position),
      foreign key (project_id, plugin_id, key)
        references app_cache (project_id, plugin_id, key) on delete cascade
    ) ${table}`,
    `create table app_cache_totals (
      project_id ${int} not null references projects (id) on delete cascade,
      plugin_id ${int} not null,
      bytes ${int} not null,
      primary key (project_id, plugin_id)
    ) ${table}`,
  ],
}

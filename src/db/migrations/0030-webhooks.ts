import type { Migration } from '../migrate.ts'

/** Requests that other services send to import apps. */
export const webhooks: Migration = {
  name: '0030-webhooks',
  up: ({ id, int, text, table }) => [
    `alter table plugins add column receives ${text}`,
    `alter table plugin_configs add column intake ${text}`,
    `create table webhook_addresses (
      token ${text} primary key,
      config_id ${int} not null references plugin_configs (id) on delete cascade,
      created_at ${text} not null,
      expires_at ${text}
    ) ${table}`,
    `create index webhook_addresses_config on webhook_addresses (config_id, created_at)`,
    `create table webhook_requests (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      config_id ${int} not null references plugin_configs (id) on delete cascade,
      delivery ${text} not null,
      received_at ${text} not null,
      method ${text} not null,
      content_type ${text} not null,
      size ${int} not null,
      content ${text} not null,
      state ${text} not null check (state in ('waiting', 'done', 'failed')),
      run_id ${text},
      message ${text} not null default ''
    ) ${table}`,
    `create unique index webhook_requests_delivery on webhook_requests (config_id, delivery)`,
    `create index webhook_requests_config on webhook_requests (config_id, id)`,
    `create index webhook_requests_waiting on webhook_requests (config_id, id) where state = 'waiting'`,
  ],
}

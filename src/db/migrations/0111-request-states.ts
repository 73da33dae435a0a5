import type { Migration } from '../migrate.ts'

/**
 * Keeps what changes of a received request apart from its content. SQLite wrote the content again, 6 kB for one of 4 kB,
 * when a request was handled.
 */
export const requestStates: Migration = {
  name: '0111-request-states',
  up: ({ int, text, table }) => [
    `create table webhook_states (
      id ${int} primary key references webhook_requests (id) on delete cascade,
      config_id ${int} not null references plugin_configs (id) on delete cascade,
      state ${text} not null check (state in ('waiting', 'done', 'failed')),
      run_id ${text},
      message ${text} not null default ''
    ) ${table}`,
    `insert into webhook_states (id, config_id, state, run_id, message)
      select id, config_id, state, run_id, message from webhook_requests`,
    `drop index webhook_requests_state`,
    `alter table webhook_requests drop column state`,
    `alter table webhook_requests drop column run_id`,
    `alter table webhook_requests drop column message`,
    `create index webhook_states_config on webhook_states (config_id, state, id)`,
  ],
}

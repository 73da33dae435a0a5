import type { Migration } from '../migrate.ts'

/** The last tick of each scheduled task, so that a tick is neither lost nor fired twice. Replaces the key of the run. */
export const scheduleTicks: Migration = {
  name: '0012-schedule-ticks',
  up: ({ int, text, table }) => [
    `alter table plugin_configs add column scheduled_from ${text} not null default ''`,
    `update plugin_configs set scheduled_from = updated_at`,
    `create table schedule_ticks (
      config_id ${int} not null references plugin_configs (id) on delete cascade,
      task ${text} not null,
      tick ${text} not null,
      primary key (config_id, task)
    ) ${table}`,
    // the key ends with the tick, a time of 24 characters
    `insert into schedule_ticks (config_id, task, tick)
      select config_id, name, max(substr(once_key, length(once_key) - 23)) from runs
      where kind = 'schedule' and once_key is not null group by config_id, name`,
    `drop index runs_once`,
    `alter table runs drop column once_key`,
  ],
}

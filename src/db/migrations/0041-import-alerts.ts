import type { Migration } from '../migrate.ts'

/** An alert can watch an import instead of an insight. A run tells how the events of its import have changed. */
export const importAlerts: Migration = {
  name: '0041-import-alerts',
  up: ({ int, text }) => [
    `alter table alerts alter column insight_id drop not null`,
    `alter table alerts add column config_id ${int} references plugin_configs (id) on delete cascade`,
    `alter table alerts add column watches ${text}`,
    `alter table alerts add column incidents ${text} not null default '{}'`,
    `create index alerts_of_config on alerts (config_id) where config_id is not null`,
    `alter table plugin_configs add column event_shape ${text}`,
    `alter table runs add column schema_change ${text}`,
  ],
}

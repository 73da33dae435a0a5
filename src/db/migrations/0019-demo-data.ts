import type { Migration } from '../migrate.ts'

/** Records what loading demo data created, so that it can be removed in one step. App 4 generates demo data. */
export const demoData: Migration = {
  name: '0019-demo-data',
  up: ({ int, text }) => [
    `alter table projects add column demo_config_id ${int}`,
    `alter table projects add column demo_dashboard_id ${int}`,
    `alter table projects add column demo_removed_at ${text}`,
    `update projects set demo_config_id =
      (select min(id) from plugin_configs where project_id = projects.id and plugin_id = 4)`,
  ],
}

import type { Migration } from '../migrate.ts'

/** Records everything that loading demo data created beside its config, as JSON, so that all of it can be removed. */
export const demoItems: Migration = {
  name: '0024-demo-items',
  up: ({ text }) => [
    `alter table projects add column demo_items ${text}`,
    `update projects set demo_items = '{"dashboards":[' || demo_dashboard_id || ']}'
      where demo_dashboard_id is not null`,
  ],
}

import type { Migration } from '../migrate.ts'

/** A frozen public link shows the results of one moment, which are stored with it, by tile. */
export const linkSnapshots: Migration = {
  name: '0142-link-snapshots',
  up: ({ int, text, table }) => [
    `alter table share_links add column snapshot_at ${text}`,
    `create table link_snapshots (
      link_id ${int} not null references share_links (id) on delete cascade,
      position ${int} not null,
      content ${text} not null,
      results ${text},
      primary key (link_id, position)
    ) ${table}`,
  ],
}

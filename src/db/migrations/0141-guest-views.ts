import type { Migration } from '../migrate.ts'

/** Counts how often each guest opened a public link, by day. */
export const guestViews: Migration = {
  name: '0141-guest-views',
  up: ({ int, text, table }) => [
    `create table link_guest_views (
      link_id ${int} not null references share_links (id) on delete cascade,
      address ${text} not null,
      day ${text} not null,
      views ${int} not null,
      primary key (link_id, address, day)
    ) ${table}`,
  ],
}

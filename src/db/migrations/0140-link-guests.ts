import type { Migration } from '../migrate.ts'

/** People whom a public link invites, by address or by domain, and the codes that were mailed to those who asked. */
export const linkGuests: Migration = {
  name: '0140-link-guests',
  up: ({ id, int, text, table }) => [
    `alter table share_links add column guest_key ${text}`,
    `create table link_guests (
      id ${id},
      link_id ${int} not null references share_links (id) on delete cascade,
      email ${text},
      domain ${text},
      expires_at ${text},
      created_by ${int} references users (id) on delete set null,
      created_at ${text} not null,
      check ((email is null) <> (domain is null)),
      unique (link_id, email),
      unique (link_id, domain)
    ) ${table}`,
    `create table link_codes (
      link_id ${int} not null references share_links (id) on delete cascade,
      address ${text} not null,
      hash ${text} not null,
      tries ${int} not null default 0,
      expires_at ${text} not null,
      primary key (link_id, address)
    ) ${table}`,
  ],
}

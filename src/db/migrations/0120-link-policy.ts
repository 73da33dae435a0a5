import type { Migration } from '../migrate.ts'

/** The rules of an organization for its public links, and since when the first link of a dashboard is turned on. */
export const linkPolicy: Migration = {
  name: '0120-link-policy',
  up: ({ int, text }) => [
    `alter table organizations add column allow_publicly_shared_resources ${int} not null default 1`,
    `alter table organizations add column public_links_require_password ${int} not null default 0`,
    `alter table organizations add column public_link_max_days ${int}`,
    `alter table share_links add column enabled_at ${text}`,
  ],
}

import type { Migration } from '../migrate.ts'

/** A dashboard has several public links, each with its own rules. Replaced tokens move to a table of their own. */
export const publicLinks: Migration = {
  name: '0110-public-links',
  up: ({ id, int, text, table }) => [
    `alter table share_links rename to old_share_links`,
    `create table share_links (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      dashboard_id ${int} not null references dashboards (id) on delete cascade,
      is_first ${int} not null check (is_first in (0, 1)),
      token ${text} not null unique,
      label ${text} not null default '',
      audience ${text} not null default 'anyone' check (audience in ('anyone', 'password')),
      password_hash ${text},
      starts_at ${text},
      expires_at ${text},
      max_views ${int},
      views ${int} not null default 0,
      last_viewed_at ${text},
      shows_annotations ${int} not null default 1,
      allows_exports ${int} not null default 1,
      embed_origins ${text},
      created_by ${int} references users (id) on delete set null,
      created_at ${text} not null,
      check ((audience = 'password') = (password_hash is not null))
    ) ${table}`,
    `create table replaced_links (
      token ${text} primary key,
      link_id ${int} not null references share_links (id) on delete cascade,
      expires_at ${text} not null
    ) ${table}`,
    `insert into share_links (project_id, dashboard_id, is_first, token, created_at)
      select project_id, dashboard_id, 1, token, created_at from old_share_links
      where expires_at is null order by created_at, token`,
    `insert into replaced_links (token, link_id, expires_at)
      select old.token, share_links.id, old.expires_at from old_share_links old
      join share_links on share_links.dashboard_id = old.dashboard_id
      where old.expires_at is not null`,
    `drop table old_share_links`,
    `create index share_links_dashboard on share_links (dashboard_id, id)`,
    `create index replaced_links_link on replaced_links (link_id)`,
    `create table link_views (
      link_id ${int} not null references share_links (id) on delete cascade,
      day ${text} not null,
      views ${int} not null,
      primary key (link_id, day)
    ) ${table}`,
  ],
}

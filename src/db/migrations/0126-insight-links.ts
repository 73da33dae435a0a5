import type { Migration } from '../migrate.ts'

/** A public link leads to a dashboard or to an insight, and can be for the people that it names. */
export const insightLinks: Migration = {
  name: '0126-insight-links',
  up: ({ id, int, text, table }) => {
    const checks = {
      audience: `check (audience in ('anyone', 'password', 'people'))`,
      owner: 'check ((dashboard_id is null) <> (insight_id is null))',
    }
    const index = 'create index share_links_insight on share_links (insight_id, id)'
    const isSqlite = table !== ''
    if (!isSqlite) {
      return [
        `alter table share_links alter column dashboard_id drop not null`,
        `alter table share_links add column insight_id ${int} references insights (id) on delete cascade`,
        `alter table share_links add ${checks.owner}`,
        `alter table share_links drop constraint share_links_audience_check`,
        `alter table share_links add constraint share_links_audience_check ${checks.audience}`,
        index,
      ]
    }
    // SQLite changes no column in place, and the tables that refer to a renamed one follow it. The columns have the order
    // that they have on PostgreSQL, because backups of both are alike to the byte.
    return [
      `alter table share_links rename to old_share_links`,
      `alter table replaced_links rename to old_replaced_links`,
      `alter table link_views rename to old_link_views`,
      `create table share_links (
        id ${id},
        project_id ${int} not null references projects (id) on delete cascade,
        dashboard_id ${int} references dashboards (id) on delete cascade,
        is_first ${int} not null check (is_first in (0, 1)),
        token ${text} not null unique,
        label ${text} not null default '',
        audience ${text} not null default 'anyone' ${checks.audience},
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
        enabled_at ${text},
        viewer_filters ${text},
        insight_id ${int} references insights (id) on delete cascade,
        check ((audience = 'password') = (password_hash is not null)),
        ${checks.owner}
      ) ${table}`,
      `insert into share_links (id, project_id, dashboard_id, is_first, token, label, audience, password_hash,
        starts_at, expires_at, max_views, views, last_viewed_at, shows_annotations, allows_exports, embed_origins,
        viewer_filters, enabled_at, created_by, created_at)
        select id, project_id, dashboard_id, is_first, token, label, audience, password_hash,
        starts_at, expires_at, max_views, views, last_viewed_at, shows_annotations, allows_exports, embed_origins,
        viewer_filters, enabled_at, created_by, created_at from old_share_links`,
      `create table replaced_links (
        token ${text} primary key,
        link_id ${int} not null references share_links (id) on delete cascade,
        expires_at ${text} not null
      ) ${table}`,
      `insert into replaced_links (token, link_id, expires_at)
        select token, link_id, expires_at from old_replaced_links`,
      `create table link_views (
        link_id ${int} not null references share_links (id) on delete cascade,
        day ${text} not null,
        views ${int} not null,
        primary key (link_id, day)
      ) ${table}`,
      `insert into link_views (link_id, day, views) select link_id, day, views from old_link_views`,
      `drop table old_replaced_links`,
      `drop table old_link_views`,
      `drop table old_share_links`,
      `create index share_links_dashboard on share_links (dashboard_id, id)`,
      `create index replaced_links_link on replaced_links (link_id)`,
      index,
    ]
  },
}

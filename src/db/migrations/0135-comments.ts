import type { Migration } from '../migrate.ts'

/** Comments on dashboards in threads, and the users whom they mention. */
export const comments: Migration = {
  name: '0135-comments',
  up: ({ id, int, text, table }) => [
    `create table comments (
      id ${id},
      uuid ${text} not null unique,
      project_id ${int} not null references projects (id) on delete cascade,
      dashboard_id ${int} not null references dashboards (id) on delete cascade,
      tile_id ${int} references tiles (id) on delete set null,
      point ${text},
      thread_id ${int} references comments (id) on delete cascade,
      content ${text} not null,
      search_key ${text} not null,
      version ${int} not null default 0,
      completed_at ${text},
      completed_by ${int} references users (id) on delete set null,
      deleted ${int} not null default 0 check (deleted in (0, 1)),
      created_by ${int} references users (id) on delete set null,
      created_at ${text} not null
    ) ${table}`,
    `create index comments_dashboard on comments (project_id, dashboard_id, id)`,
    `create index comments_thread on comments (thread_id, id)`,
    `create index comments_tile on comments (tile_id)`,
    `create table comment_mentions (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      comment_id ${int} not null references comments (id) on delete cascade,
      user_id ${int} not null references users (id) on delete cascade,
      created_at ${text} not null,
      read_at ${text},
      unique (comment_id, user_id)
    ) ${table}`,
    `create index comment_mentions_user on comment_mentions (user_id, read_at, id)`,
  ],
}

import type { Migration } from '../migrate.ts'

export const invites: Migration = {
  name: '0007-invites',
  up: ({ int, text, table }) => [
    `create table invites (
      id ${text} primary key,
      hash ${text} not null unique,
      email ${text},
      level ${int} not null check (level in (1, 8, 15)),
      projects ${text} not null,
      created_by ${int} not null references users (id) on delete cascade,
      created_at ${text} not null,
      expires_at ${text} not null
    ) ${table}`,
    `create index invites_of_user on invites (created_by)`,
    `alter table api_keys add column description ${text}`,
    `alter table api_keys add column last_rolled_at ${text}`,
    `alter table users add column removed_at ${text}`,
  ],
}

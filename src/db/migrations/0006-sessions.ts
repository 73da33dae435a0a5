import type { Migration } from '../migrate.ts'

export const sessions: Migration = {
  name: '0006-sessions',
  up: ({ int, text, table }) => [
    `create table sessions (
      id ${text} primary key,
      hash ${text} not null unique,
      user_id ${int} not null references users (id) on delete cascade,
      user_agent ${text} not null,
      address ${text} not null,
      created_at ${text} not null,
      last_used_at ${text} not null,
      expires_at ${text} not null
    ) ${table}`,
    `create index sessions_of_user on sessions (user_id)`,
    `create index sessions_by_end on sessions (expires_at)`,

    `create table one_time_tokens (
      hash ${text} primary key,
      kind ${text} not null,
      user_id ${int} not null references users (id) on delete cascade,
      created_at ${text} not null,
      expires_at ${text} not null,
      used_at ${text}
    ) ${table}`,
    `create index one_time_tokens_of_user on one_time_tokens (user_id)`,
  ],
}

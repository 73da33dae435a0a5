import type { Migration } from '../migrate.ts'

/** Second factors of users, and their recovery codes. A secret is pending until a code of it was entered. */
export const secondFactors: Migration = {
  name: '0130-second-factors',
  up: ({ int, text, table }) => [
    `create table second_factors (
      user_id ${int} primary key references users (id) on delete cascade,
      secret ${text},
      pending_secret ${text},
      last_counter ${int} not null default 0,
      confirmed_at ${text},
      check ((secret is null) = (confirmed_at is null))
    ) ${table}`,
    `create table recovery_codes (
      user_id ${int} not null references users (id) on delete cascade,
      hash ${text} not null,
      primary key (user_id, hash)
    ) ${table}`,
  ],
}

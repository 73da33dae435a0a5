import type { Migration } from '../migrate.ts'

/** Passkeys of users, and the challenges of registrations and sign-ins that have begun. */
export const passkeys: Migration = {
  name: '0151-passkeys',
  up: ({ int, text, table }) => [
    `create table passkeys (
      id ${text} primary key,
      user_id ${int} not null references users (id) on delete cascade,
      credential_id ${text} not null unique,
      public_key ${text} not null,
      counter ${int} not null,
      transports ${text} not null,
      name ${text} not null,
      created_at ${text} not null,
      last_used_at ${text}
    ) ${table}`,
    `create index passkeys_user on passkeys (user_id, created_at)`,
    `create table passkey_challenges (
      hash ${text} primary key,
      user_id ${int} references users (id) on delete cascade,
      expires_at ${text} not null
    ) ${table}`,
    `create index passkey_challenges_expiry on passkey_challenges (expires_at)`,
  ],
}

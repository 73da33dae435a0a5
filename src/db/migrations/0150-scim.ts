import type { Migration } from '../migrate.ts'

/** Users and groups as an identity provider knows them over SCIM, and the tokens of the providers. */
export const scim: Migration = {
  name: '0150-scim',
  up: ({ int, text, table }) => [
    `create table scim_tokens (
      id ${text} primary key,
      label ${text} not null,
      hash ${text} not null unique,
      mask ${text} not null,
      created_at ${text} not null,
      last_used_at ${text}
    ) ${table}`,
    `create table scim_users (
      user_id ${int} primary key references users (id) on delete cascade,
      user_name ${text} not null,
      user_name_key ${text} not null unique,
      external_id ${text}
    ) ${table}`,
    `create table scim_groups (
      id ${text} primary key,
      display_name ${text} not null,
      external_id ${text},
      created_at ${text} not null
    ) ${table}`,
    `create table scim_group_members (
      group_id ${text} not null references scim_groups (id) on delete cascade,
      user_id ${int} not null references users (id) on delete cascade,
      primary key (group_id, user_id)
    ) ${table}`,
    `create index scim_group_members_user on scim_group_members (user_id)`,
  ],
}

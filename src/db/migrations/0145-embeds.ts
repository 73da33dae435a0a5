import type { Migration } from '../migrate.ts'

/** The secrets that sign embeds of a project, and its settings for them. */
export const embeds: Migration = {
  name: '0145-embeds',
  up: ({ id, int, text, table }) => [
    `create table embed_secrets (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      kid ${text} not null unique,
      secret ${text} not null,
      last_used_at ${text},
      created_by ${int} references users (id) on delete set null,
      created_at ${text} not null
    ) ${table}`,
    `create index embed_secrets_project on embed_secrets (project_id, id)`,
    `create table embed_settings (
      project_id ${int} primary key references projects (id) on delete cascade,
      jwks_url ${text},
      embed_origins ${text}
    ) ${table}`,
  ],
}

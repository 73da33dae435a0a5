import type { Migration } from '../migrate.ts'

/** A member of a project, or someone who is invited to it, may only view it, and export only if the project says so. */
export const projectLevels: Migration = {
  name: '0155-project-levels',
  up: ({ int, text }) => {
    const level = `access_level ${text} not null default 'member' check (access_level in ('member', 'viewer'))`
    return [
      `alter table project_members add column ${level}`,
      `alter table invites add column ${level}`,
      `alter table projects add column viewers_can_export ${int} not null default 0 check (viewers_can_export in (0, 1))`,
    ]
  },
}

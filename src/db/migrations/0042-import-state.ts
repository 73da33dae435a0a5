import type { Migration } from '../migrate.ts'

/** The state of an import has a version, so that a person's change overwrites no other. */
export const importState: Migration = {
  name: '0042-import-state',
  up: ({ int }) => [
    `alter table app_storage_totals add column version ${int} not null default 0`,
    `update app_storage_totals set version = 1`,
  ],
}

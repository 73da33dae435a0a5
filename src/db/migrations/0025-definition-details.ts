import type { Migration } from '../migrate.ts'

/**
 * Holds what people write about names of events and properties. The names themselves come from events, and can be too long
 * for an index, so rows are found by the UUID that is derived from the name.
 */
export const definitionDetails: Migration = {
  name: '0025-definition-details',
  up: ({ id, int, text, table }) => [
    `create table definition_details (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      uuid ${text} not null,
      type ${text} not null,
      name ${text} not null,
      description ${text} not null,
      owner_id ${int} references users (id) on delete set null,
      tags ${text} not null,
      verified ${int} not null check (verified in (0, 1)),
      verified_at ${text},
      verified_by ${int} references users (id) on delete set null,
      hidden ${int} not null check (hidden in (0, 1)),
      property_type ${text},
      updated_at ${text} not null,
      updated_by ${int} references users (id) on delete set null,
      unique (project_id, uuid)
    ) ${table}`,
  ],
}

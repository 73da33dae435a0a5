import { sql } from 'kysely'
import type { EventTable, Sql } from './event-table.ts'

/** Selects the rows of a project from the tables of persons and groups. */
export const toProjectSources = (project: Sql) =>
  ({
    persons: sql`(select * from persons where project_id = ${project} and has_profile)`,
    allPersons: sql`(select * from persons where project_id = ${project})`,
    personIds: sql`(select distinct_id, person from person_ids where project_id = ${project})`,
    warnings: sql`(select * from identity_warnings where project_id = ${project})`,
    groups: sql`(select * from group_profiles where project_id = ${project})`,
    groupTypes: sql`(select * from group_types where project_id = ${project})`,
  }) satisfies Partial<EventTable>

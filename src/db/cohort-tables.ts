import type { Generated } from 'kysely'
import type { Flag, Json, Time } from './values.ts'

/** Cohorts and the members of static ones. */
export interface CohortTables {
  cohorts: {
    id: Generated<number>
    project_id: number
    /** Changes with the definition and the members. Results of queries that use cohorts depend on it. */
    version: Generated<number>
    name: string
    /** Name and description in lower case. */
    search_key: string
    description: string
    is_static: Flag
    /** Conditions of a dynamic cohort; empty for a static one. */
    filters: Json
    deleted: Generated<Flag>
    created_by: number | null
    created_at: Time
  }
  cohort_members: {
    project_id: number
    cohort_id: number
    /** The person with this ID is a member. */
    distinct_id: string
    /** The person when the member was added, if there was one. */
    person_uuid: string | null
  }
}

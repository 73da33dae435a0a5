import type { Generated } from 'kysely'
import type { Flag, Json, Time } from './values.ts'

export interface ActionTables {
  actions: {
    id: Generated<number>
    project_id: number
    /** Changes with the steps. Results of queries that use cohorts of an action depend on it. */
    version: Generated<number>
    name: string
    /** Name, description and tags in lower case. */
    search_key: string
    description: string
    tags: Json
    /** An event matches the action if it matches one of these. */
    steps: Json
    deleted: Generated<Flag>
    created_by: number | null
    created_at: Time
  }
}

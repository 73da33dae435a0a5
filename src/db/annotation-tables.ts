import type { Generated } from 'kysely'
import type { Flag, Json, Time } from './values.ts'

export interface AnnotationTables {
  annotations: {
    id: Generated<number>
    project_id: number
    content: string
    /** Content and tags in lower case. */
    search_key: string
    /** The moment that is marked. */
    date_marker: Time
    /** The charts that show it: those of one insight, one dashboard, the project, or all projects. */
    scope: 'dashboard_item' | 'dashboard' | 'project' | 'organization'
    dashboard_id: number | null
    insight_id: number | null
    creation_type: 'USR' | 'GIT'
    tags: Json
    deleted: Generated<Flag>
    created_by: number | null
    created_at: Time
    updated_at: Time
  }
}

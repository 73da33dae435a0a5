import type { Generated } from 'kysely'
import type { Json, Time } from './values.ts'

export interface SavedViewTables {
  saved_views: {
    id: Generated<number>
    project_id: number
    page: 'events' | 'dashboard'
    /** Set if the page is a dashboard. */
    dashboard_id: number | null
    name: string
    filters: Json
    created_by: number | null
    created_at: Time
  }
}

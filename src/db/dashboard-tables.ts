import type { Generated } from 'kysely'
import type { Flag, Json, Time } from './values.ts'

/** Dashboards, and all that is on them or around them. */
export interface DashboardTables {
  dashboards: {
    id: Generated<number>
    project_id: number
    /** Moves with every change that its full representation can show. */
    version: Generated<number>
    name: string
    /** The name in lower case, for a sort that both databases do alike. */
    name_key: string
    /** Name, description and tags in lower case. */
    search_key: string
    description: string
    pinned: Flag
    deleted: Flag
    is_shared: Flag
    creation_mode: 'default' | 'template' | 'duplicate'
    use_template: string
    use_dashboard: number | null
    filters: Json
    variables: Json
    tags: Json
    restriction_level: number
    created_by: number | null
    created_at: Time
    /** When somebody last changed what it shows or says, or put it into the trash or took it out. */
    last_modified_at: Generated<Time>
  }
  tiles: {
    id: Generated<number>
    project_id: number
    dashboard_id: number
    insight_id: number | null
    text_id: number | null
    layouts: Json
    /** Where the desktop layout puts it: tiles are read from top to bottom, left to right. */
    x: number
    y: number
    color: string | null
    deleted: Flag
    /** Date range and properties that win over the dashboard's. */
    filters_overrides: Generated<Json>
  }
  insights: {
    id: Generated<number>
    project_id: number
    short_id: string
    name: string
    description: string
    query: Json
    tags: Json
    is_sample: Flag
    deleted: Flag
    /** The dashboard whose trashing took this insight along, and whose restoring brings it back. */
    deleted_with: number | null
    created_by: number | null
    created_at: Time
    last_modified_by: number | null
    last_modified_at: Time
    /** What a client calls it that has no name. */
    derived_name: string | null
    favorited: Generated<Flag>
    saved: Generated<Flag>
    /** Name, description and tags in lower case. */
    search_key: Generated<string>
  }
  /** Those that a project has made; the built-in ones are code. */
  dashboard_templates: {
    id: string
    project_id: number
    /** Unique among the project's live ones. */
    name: string
    /** Name, description and tags in lower case. */
    search_key: string
    description: string
    filters: Json
    tags: Json
    tiles: Json
    variables: Json | null
    image_url: string | null
    deleted: Flag
    created_by: number | null
    created_at: Time
  }
  texts: {
    id: Generated<number>
    project_id: number
    body: string
    created_by: number | null
    last_modified_by: number | null
    last_modified_at: Time
  }
  collaborators: {
    id: string
    project_id: number
    dashboard_id: number
    user_id: number
    level: number
    added_at: Time
    updated_at: Time
  }
  share_links: {
    token: string
    project_id: number
    dashboard_id: number
    created_at: Time
    /** null: the current link. Set: replaced, and working until then. */
    expires_at: Time | null
  }
}

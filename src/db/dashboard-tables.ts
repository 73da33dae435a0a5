import type { Generated } from 'kysely'
import type { LinkAudience } from '#model/public-links.ts'
import type { Flag, Json, Time } from './values.ts'

/** Dashboards with their tiles, insights, templates, collaborators and share links. */
export interface DashboardTables {
  dashboards: {
    id: Generated<number>
    project_id: number
    /** Changes with everything that the full representation shows. */
    version: Generated<number>
    name: string
    /** The name in lower case, so that both databases sort alike. */
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
    /** The last change of its contents, or of its place in the trash. */
    last_modified_at: Generated<Time>
  }
  tiles: {
    id: Generated<number>
    project_id: number
    dashboard_id: number
    insight_id: number | null
    text_id: number | null
    layouts: Json
    /** The position in the desktop layout. Tiles are listed from top to bottom, left to right. */
    x: number
    y: number
    color: string | null
    deleted: Flag
    /** Date range and properties that override the dashboard's. */
    filters_overrides: Generated<Json>
    /** null: the tile shows the description of its insight when pointed at. */
    show_description: Flag | null
    /** Set if the tile is the title of a section, which ends above the next title. */
    section: 'open' | 'folded' | null
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
    /** The dashboard that was deleted together with this insight. Restoring it restores the insight. */
    deleted_with: number | null
    created_by: number | null
    created_at: Time
    last_modified_by: number | null
    last_modified_at: Time
    /** The name that clients show if `name` is empty. */
    derived_name: string | null
    favorited: Generated<Flag>
    saved: Generated<Flag>
    /** Name, description, tags and folder in lower case. */
    search_key: Generated<string>
    folder: string | null
  }
  /** A project's own templates. The built-in ones are code. */
  dashboard_templates: {
    id: string
    project_id: number
    /** Unique among the project's templates that are not deleted. */
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
  /**
   * Public links of a dashboard or an insight. A dashboard has a first one from its creation, which
   * `dashboards.is_shared` turns on and off.
   */
  share_links: {
    id: Generated<number>
    project_id: number
    dashboard_id: number | null
    insight_id: number | null
    is_first: Flag
    /** The secret part of the address. */
    token: string
    label: Generated<string>
    audience: Generated<LinkAudience>
    password_hash: string | null
    starts_at: Time | null
    expires_at: Time | null
    max_views: number | null
    views: Generated<number>
    last_viewed_at: Time | null
    shows_annotations: Generated<Flag>
    allows_exports: Generated<Flag>
    /** The origins of the pages that may frame it. null: all. */
    embed_origins: Json | null
    /** Fields that viewers can change in the address of the page. null: none. */
    viewer_filters: Json | null
    /** When the first link was last turned on. */
    enabled_at: Time | null
    /** Signs the passes of guests. Set while the link is for people. */
    guest_key: string | null
    /** The moment whose results it shows. null: the current ones. */
    snapshot_at: Time | null
    created_by: number | null
    created_at: Time
  }
  /** People whom a link invites: one address, or all addresses of a domain. */
  link_guests: {
    id: Generated<number>
    link_id: number
    /** In lower case. */
    email: string | null
    domain: string | null
    expires_at: Time | null
    created_by: number | null
    created_at: Time
  }
  /** Codes of the addresses that asked for one, invited or not. */
  link_codes: {
    link_id: number
    address: string
    hash: string
    tries: Generated<number>
    expires_at: Time
  }
  /** Tokens of links that were replaced and work a little longer. */
  replaced_links: {
    token: string
    link_id: number
    expires_at: Time
  }
  /** Content of frozen links: the dashboard or insight at position 0, then its tiles. */
  link_snapshots: {
    link_id: number
    position: number
    content: Json
    /** The result of the tile. */
    results: string | null
  }
  /** Views of each guest. */
  link_guest_views: {
    link_id: number
    address: string
    /** A day in UTC. */
    day: string
    views: number
  }
  link_views: {
    link_id: number
    /** A day in UTC: `2026-11-19`. */
    day: string
    views: number
  }
}

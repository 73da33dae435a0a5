import type { Generated } from 'kysely'
import type { Flag, Time } from './values.ts'

export interface CommentTables {
  comments: {
    id: Generated<number>
    uuid: string
    project_id: number
    dashboard_id: number
    /** The tile that is commented on; null: the dashboard. */
    tile_id: number | null
    /** The point in time of a chart. */
    point: Time | null
    /** The comment that begins the thread of a reply. */
    thread_id: number | null
    content: string
    /** The content in lower case. */
    search_key: string
    /** Increased by every edit. */
    version: Generated<number>
    completed_at: Time | null
    completed_by: number | null
    deleted: Generated<Flag>
    created_by: number | null
    created_at: Time
  }
  comment_mentions: {
    id: Generated<number>
    project_id: number
    comment_id: number
    user_id: number
    created_at: Time
    read_at: Time | null
  }
}

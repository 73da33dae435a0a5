import type { Migration } from '../migrate.ts'

/** Lists the newest entries of a project. The existing index serves the log of one item only. */
export const activityLog: Migration = {
  name: '0008-activity-log',
  up: () => [`create index activity_log on activity (project_id, id)`],
}

import type { Migration } from '../migrate.ts'

/** The newest of a whole project; there was an index for the log of one thing only. */
export const activityLog: Migration = {
  name: '0008-activity-log',
  up: () => [`create index activity_log on activity (project_id, id)`],
}

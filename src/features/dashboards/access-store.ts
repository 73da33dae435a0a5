import type { Db } from '#server/db/schema.ts'

/** Selects from dashboards, with the user's level as a collaborator. */
export const dashboardsWithLevel = (db: Db, userId: number) =>
  db
    .selectFrom('dashboards')
    .leftJoin('collaborators', (join) =>
      join
        .onRef('collaborators.dashboard_id', '=', 'dashboards.id')
        .on('collaborators.user_id', '=', userId),
    )
    .select('collaborators.level as collaborator_level')

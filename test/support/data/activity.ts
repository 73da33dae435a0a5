import type { TestApp } from '../app/app.ts'

/** Lists the activity of the test's project, oldest first. */
export const listActivity = ({ db, projectId }: TestApp) =>
  db.selectFrom('activity').selectAll().where('project_id', '=', projectId).orderBy('id').execute()

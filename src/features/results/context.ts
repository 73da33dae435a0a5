import type { Context } from '#server/analytics/queries/plan.ts'
import { hotQuery } from '#server/db/hot-query.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'

const selectProject = hotQuery((db: Db, projectId: number) =>
  db
    .selectFrom('projects')
    .select(['timezone', 'week_start_day', 'test_account_filters'])
    .where('id', '=', projectId),
)

/** Where and when a project's questions are asked. */
export async function contextOf(db: Db, projectId: number): Promise<Omit<Context, 'attr'>> {
  const [project] = await selectProject(db, projectId)
  if (!project) throw notFound('Project')
  return {
    zone: project.timezone,
    weekStart: project.week_start_day,
    testAccountFilters: JSON.parse(project.test_account_filters),
    now: Temporal.Now.instant(),
  }
}

import { NO_COHORTS } from '#server/analytics/queries/cohort-definitions.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import { compileOnce } from '#server/db/compile-once.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'

const findQuerySettings = compileOnce((db: Db, projectId: number) =>
  db
    .selectFrom('projects')
    .select(['timezone', 'week_start_day', 'test_account_filters'])
    .where('id', '=', projectId),
)

/** Returns the project's settings and the current time, which every result depends on. Cohorts are loaded on demand. */
export async function getQueryContext(db: Db, projectId: number): Promise<Omit<Context, 'attr'>> {
  const [project] = await findQuerySettings(db, projectId)
  if (!project) throw notFound('Project')
  return {
    zone: project.timezone,
    weekStart: project.week_start_day,
    testAccountFilters: JSON.parse(project.test_account_filters),
    now: Temporal.Now.instant(),
    cohorts: NO_COHORTS,
  }
}

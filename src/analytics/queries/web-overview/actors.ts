import type { WebOverviewQuery } from '#model/query-kinds/web-overview.schema.ts'
import { type ActorSet, type InsightPoint, requirePeriod } from '../actors.ts'
import { resolvePeriods } from '../periods.ts'
import type { Context } from '../plan.ts'
import { selectVisitors } from '../web/visitors.ts'
import { parseVisits } from '../web/visits.ts'

/** Selects the visitors of a period. */
export function selectWebOverviewQueryActors(
  query: WebOverviewQuery,
  point: InsightPoint,
  context: Context,
): ActorSet {
  const range = requirePeriod(resolvePeriods(query, context), point)
  return selectVisitors(parseVisits(query, context), range)
}
